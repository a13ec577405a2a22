// SPDX-License-Identifier: MIT
// How an update is launched over cells, watched or not: the only place that knows which form suits the device.
#pragma once

#include "comm/for_each_cell.hpp"
#include "comm/launch_teams.hpp"
#include "solver/march.hpp"
#include "solver/sweep_rows.hpp"
#include "solver/tally_board.hpp"

namespace halotherm::solver {

namespace detail {

/// Joins tallies as Kokkos' reductions want it.
struct Joining {
  using value_type = Tally;
  KOKKOS_INLINE_FUNCTION void init(Tally& tally) const { tally = Tally::nothing(); }
  KOKKOS_INLINE_FUNCTION void join(Tally& tally, const Tally& other) const { tally.join(other); }
};

template <class Sweep>
struct UnwatchedSweep {
  Sweep sweep;
  void operator()(int piece) const {
    NoWatch watch;
    sweep.sweep(piece, watch);
  }
};

template <class Sweep, class Real>
struct WatchedSweep : Joining {
  Sweep sweep;
  WatchSettings<Real> settings;
  WatchedSweep(const Sweep& the_sweep, const WatchSettings<Real>& the_settings) : sweep(the_sweep), settings(the_settings) {}
  void operator()(int piece, Tally& tally) const {
    Watch<Real> watch(tally, settings);
    sweep.sweep(piece, watch);
  }
};

/// Teams that share a multiprocessor: as many as fit without a thread spilling registers, since spilled ones are stores that
/// compete with those of the result.
template <class March>
struct Residency;
template <int Dim, int Rows, bool Isotropic, class Real, class Cells>
struct Residency<March<Dim, Rows, Isotropic, Update<Dim, Real, VaryingMedium<Real>, Cells>, Real>> {
  static constexpr unsigned teams = Rows > 1 ? 4 : !Isotropic ? 6 : sizeof(Real) == 8 ? 7 : 8;
};
template <int Dim, int Rows, bool Isotropic, class Real, class Cells>
struct Residency<March<Dim, Rows, Isotropic, Update<Dim, Real, UniformMedium<Real>, Cells>, Real>> {
  static constexpr unsigned teams = Rows == 1 ? 10 : Rows == 2 ? 8 : Dim == 2 ? 5 : 4;
};

template <class March>
struct UnwatchedMarch {
  March march;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    NoWatch watch;
    march(team, thread, watch);
  }
};

/// A thread takes one piece after the other, so that few tallies are left to join.
template <class March, class Real>
struct WatchedMarch : Joining {
  using Bounds = Kokkos::LaunchBounds<comm::TileCut::threads, 4>;
  static constexpr int marches_noted = 1 << 10;  ///< before the counters are handed over
  using Policy = Kokkos::RangePolicy<comm::Space, Bounds, Kokkos::IndexType<int>>;
  March march;
  WatchSettings<Real> settings;
  int at_once;  ///< teams

  WatchedMarch(const March& the_march, const WatchSettings<Real>& the_settings, int most_threads)
      : march(the_march),
        settings(the_settings),
        at_once(std::clamp(most_threads / comm::TileCut::threads, 1, the_march.cut.teams())) {}
  KOKKOS_INLINE_FUNCTION void operator()(int n, Tally& tally) const {
    Watch<Real> watch(tally, settings);
    int noted = 0;
    for (int team = n / comm::TileCut::threads; team < march.cut.teams(); team += at_once) {
      march(team, n % comm::TileCut::threads, watch);
      if (++noted % marches_noted == 0) watch.hand_over();
    }
    watch.hand_over();
  }
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
struct WatchedCells : Joining {
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

template <bool Isotropic, int Rows, int Dim, class Real, class Medium, class Cells>
void march(const comm::Space& space, const comm::Box& box, const comm::Tile& tile, const Update<Dim, Real, Medium, Cells>& update,
           TallyBoard<Real>* board) {
  using Body = March<Dim, Rows, Isotropic, Update<Dim, Real, Medium, Cells>, Real>;
  const Body body(update, box, tile);
  if (board == nullptr) {
    using Bounds = Kokkos::LaunchBounds<comm::TileCut::threads, Residency<Body>::teams>;
    comm::for_each_thread<Bounds>(space, "diffuse", body.cut.teams(), comm::TileCut::threads, UnwatchedMarch<Body>{body});
  } else {
    using Functor = WatchedMarch<Body, Real>;
    const Functor functor(body, board->settings(), space.concurrency() / 4);
    Kokkos::parallel_reduce("diffuse watched", typename Functor::Policy(space, 0, functor.at_once * comm::TileCut::threads),
                            functor, board->next_slot());
  }
}

/// As many rows a thread as the tile wants and registers allow.
template <int Dim, class Real, class Medium, class Cells>
void march(const comm::Space& space, const comm::Box& box, const comm::Tile& tile, bool isotropic,
           const Update<Dim, Real, Medium, Cells>& update, TallyBoard<Real>* board) {
  const int most = board != nullptr ? 2 : 4;  // a watched thread has no registers for more
  const int rows = std::min({tile.rows, box.extent(1), most});
  if constexpr (std::is_same_v<Medium, UniformMedium<Real>>) {
    if (rows >= 4) return march<true, 4>(space, box, tile, update, board);
    if (rows >= 2) return march<true, 2>(space, box, tile, update, board);
    march<true, 1>(space, box, tile, update, board);
  } else {
    if (!isotropic) return march<false, 1>(space, box, tile, update, board);
    if constexpr (Dim == 2) {
      if (rows >= 4) return march<true, 4>(space, box, tile, update, board);
    }
    if (rows >= 2) return march<true, 2>(space, box, tile, update, board);
    march<true, 1>(space, box, tile, update, board);
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
  for (const auto& box : region.large()) {
    if constexpr (comm::kernels_run_on_host) {
      detail::sweep(space, box, region.tile(), update, board);
    } else if constexpr (Dim == 1) {
      detail::each_cell(space, comm::BoxList(std::span(&box, 1)), update, board);
    } else {
      detail::march(space, box, region.tile(), isotropic, update, board);
    }
  }
  detail::each_cell(space, region.thin(), update, board);
}

}  // namespace halotherm::solver
