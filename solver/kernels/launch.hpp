// SPDX-License-Identifier: MIT
// Launches an update over a region by the kernel that suits device and box, plain or instrumented.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "solver/streaming/launch_streaming.hpp"
#include "solver/sweeps/sweep_rows.hpp"

namespace halotherm::solver {

namespace detail {

template <class Sweep>
struct PlainSweep {
  Sweep sweep;
  void operator()(int piece) const { sweep.sweep(piece, NoInstrument()); }
};

template <class Sweep, class Real, bool Weighed>
struct InstrumentedSweep : JoiningAccumulators {
  Sweep sweep;
  DiagnosticsSettings<Real> settings;
  InstrumentedSweep(const Sweep& the_sweep, const DiagnosticsSettings<Real>& the_settings)
      : sweep(the_sweep), settings(the_settings) {}
  void operator()(int piece, Accumulator& accumulator) const {
    sweep.sweep(piece, Instrument<Real, Weighed>(accumulator, settings));
  }
};

/// One cell at a time: for boxes that are thin along x, and for one dimension on GPUs.
template <class Update, class Real>
struct EachCell {
  Update update;

  template <class Instrument_>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, Instrument_& instrument) const {
    update.next(i, j, k) = update.template operator()<Real>(
        i, j, k, update.row_at_side(j, k) || update.sides.at(0, i), instrument);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    NoInstrument instrument;
    (*this)(i, j, k, instrument);
  }
};

template <class Update, class Real, bool Weighed>
struct InstrumentedCells : JoiningAccumulators {
  comm::BoxList boxes;
  EachCell<Update, Real> each;
  DiagnosticsSettings<Real> settings;
  InstrumentedCells(const comm::BoxList& the_boxes, const Update& update,
                    const DiagnosticsSettings<Real>& the_settings)
      : boxes(the_boxes), each{update}, settings(the_settings) {}
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t slot, Accumulator& accumulator) const {
    Instrument<Real, Weighed> instrument(accumulator, settings);
    boxes.visit(slot, [&](int, std::int64_t, int i, int j, int k) { each(i, j, k, instrument); });
    instrument.hand_over();
  }
};

template <class Real, bool Weighed, class Update, class Board>
void sweep(const comm::Space& space, const comm::Box& box, const comm::Tile& tile,
           const Update& update, Board board) {
  using Sweep = SweepRows<Update, Real>;
  using Policy =
      Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  const Sweep rows(update, box, tile, space.concurrency());
  const Policy policy(space, 0, rows.pieces());
  if constexpr (!std::is_null_pointer_v<Board>) {
    if (board != nullptr) {
      Kokkos::parallel_reduce("diffuse instrumented", policy,
                              InstrumentedSweep<Sweep, Real, Weighed>(rows, board->settings()),
                              board->next_slot());
      return;
    }
  }
  Kokkos::parallel_for("diffuse", policy, PlainSweep<Sweep>{rows});
}

template <class Real, bool Weighed, class Update, class Board>
void each_cell(const comm::Space& space, const comm::BoxList& boxes, const Update& update,
               Board board) {
  if (boxes.slots() == 0) return;
  if constexpr (!std::is_null_pointer_v<Board>) {
    if (board != nullptr) {
      using Policy = Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_reduce(
          "diffuse thin instrumented", Policy(space, 0, boxes.slots()),
          InstrumentedCells<Update, Real, Weighed>(boxes, update, board->settings()),
          board->next_slot());
      return;
    }
  }
  const detail::EachCell<Update, Real> each{update};
  comm::for_each_cell_of(space, "diffuse thin", boxes,
                         comm::detail::WithoutPosition<EachCell<Update, Real>>{each});
}

}  // namespace detail

/// Launches the update for every cell of the region; asynchronous on `space`. `board` takes the
/// accumulators: a pointer, or nullptr for operators that are never instrumented.
template <int Dim, class Real, class Medium, class Operator, class Board>
void launch(const comm::Space& space, const comm::Region& region, bool isotropic,
            const Update<Dim, Real, Medium, Operator>& update, Board board) {
  constexpr bool weighed = MediumTraits<Medium>::uneven;
  const auto boxes = region.large();
  if constexpr (comm::kernels_run_on_host) {
    for (const auto& box : boxes)
      detail::sweep<Real, weighed>(space, box, region.tile(), update, board);
  } else if constexpr (Dim == 1) {
    detail::each_cell<Real, weighed>(space, comm::BoxList(boxes), update, board);
  } else if (board == nullptr && boxes.size() > 1 && boxes.size() <= detail::most_slabs) {
    detail::stream_through_slabs(space, boxes, region.tile(), isotropic, update);
  } else {
    for (const auto& box : boxes)
      detail::stream_planes(space, box, region.tile(), isotropic, update, board);
  }
  detail::each_cell<Real, weighed>(space, region.thin(), update, board);
}

}  // namespace halotherm::solver
