// SPDX-License-Identifier: MIT
// How an update is launched over cells, watched or not: the only place that knows which form suits the device.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "solver/kernels/launch_streaming.hpp"
#include "solver/kernels/sweep_rows.hpp"

namespace halotherm::solver {

namespace detail {

template <class Sweep>
struct UnwatchedSweep {
  Sweep sweep;
  void operator()(int piece) const { sweep.sweep(piece, NoWatch()); }
};

template <class Sweep, class Real>
struct WatchedSweep : JoiningTallies {
  Sweep sweep;
  WatchSettings<Real> settings;
  WatchedSweep(const Sweep& the_sweep, const WatchSettings<Real>& the_settings) : sweep(the_sweep), settings(the_settings) {}
  void operator()(int piece, Tally& tally) const { sweep.sweep(piece, Watch<Real>(tally, settings)); }
};

/// One cell at a time: for boxes that are thin along x, and for one dimension on GPUs.
template <class Update, class Real>
struct EachCell {
  Update update;

  template <class Watcher>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k, Watcher& watch) const {
    const Real result = update.template operator()<Real>(i, j, k, update.row_at_side(j, k) || update.sides.at(0, i));
    watch.note(result, update.T(i, j, k), i, j, k);
    update.next(i, j, k) = result;
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    NoWatch watch;
    (*this)(i, j, k, watch);
  }
};

template <class Update, class Real>
struct WatchedCells : JoiningTallies {
  comm::BoxList boxes;
  EachCell<Update, Real> each;
  WatchSettings<Real> settings;
  WatchedCells(const comm::BoxList& the_boxes, const Update& update, const WatchSettings<Real>& the_settings)
      : boxes(the_boxes), each{update}, settings(the_settings) {}
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t slot, Tally& tally) const {
    Watch<Real> watch(tally, settings);
    boxes.visit(slot, [&](int, std::int64_t, int i, int j, int k) { each(i, j, k, watch); });
    watch.hand_over();
  }
};

template <class Update, class Real>
void sweep(const comm::Space& space, const comm::Box& box, const comm::Tile& tile, const Update& update, TallyBoard<Real>* board) {
  using Sweep = SweepRows<Update, Real>;
  using Policy = Kokkos::RangePolicy<comm::Space, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  const Sweep rows(update, box, tile, space.concurrency());
  const Policy policy(space, 0, rows.pieces());
  if (board == nullptr) {
    Kokkos::parallel_for("diffuse", policy, UnwatchedSweep<Sweep>{rows});
  } else {
    Kokkos::parallel_reduce("diffuse watched", policy, WatchedSweep<Sweep, Real>(rows, board->settings()), board->next_slot());
  }
}

template <class Update, class Real>
void each_cell(const comm::Space& space, const comm::BoxList& boxes, const Update& update, TallyBoard<Real>* board) {
  if (boxes.slots() == 0) return;
  if (board == nullptr) {
    const detail::EachCell<Update, Real> each{update};
    comm::for_each_cell_of(space, "diffuse thin", boxes, comm::detail::WithoutPosition<EachCell<Update, Real>>{each});
  } else {
    using Policy = Kokkos::RangePolicy<comm::Space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_reduce("diffuse thin watched", Policy(space, 0, boxes.slots()),
                            WatchedCells<Update, Real>(boxes, update, board->settings()), board->next_slot());
  }
}

}  // namespace detail

/// Launches the update for every cell of the region; asynchronous on `space`. `board` takes the tallies, if not null.
template <int Dim, class Real, class Medium, class Cells>
void launch(const comm::Space& space, const comm::Region& region, bool isotropic, const Update<Dim, Real, Medium, Cells>& update,
            TallyBoard<Real>* board) {
  const auto boxes = region.large();
  if constexpr (comm::kernels_run_on_host) {
    for (const auto& box : boxes) detail::sweep(space, box, region.tile(), update, board);
  } else if constexpr (Dim == 1) {
    detail::each_cell(space, comm::BoxList(boxes), update, board);
  } else if (board == nullptr && boxes.size() > 1 && boxes.size() <= detail::most_slabs) {
    detail::march_through_slabs(space, boxes, region.tile(), isotropic, update);
  } else {
    for (const auto& box : boxes) detail::march(space, box, region.tile(), isotropic, update, board);
  }
  detail::each_cell(space, region.thin(), update, board);
}

}  // namespace halotherm::solver
