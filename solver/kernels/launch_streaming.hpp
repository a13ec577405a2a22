// SPDX-License-Identifier: MIT
// How marches are launched on GPUs, watched or not.
#pragma once

#include "comm/device/launch_teams.hpp"
#include "solver/kernels/plane_streaming.hpp"
#include "solver/diagnostics/accumulator_board.hpp"

#include <algorithm>
#include <span>

namespace halotherm::solver::detail {

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

/// Through one box, or through several in one launch.
template <class March, int Most>
struct UnwatchedMarch {
  March march;
  typename March::Part parts[Most];
  int first[Most + 1];  ///< team of each part, and of those beyond the last

  UnwatchedMarch(const March& the_march, std::span<const comm::Box> boxes, const comm::Tile& tile) : march(the_march), first{} {
    for (std::size_t n = 0; n < Most; ++n) {
      if (n < boxes.size()) parts[n] = march.part(boxes[n], tile);
      first[n + 1] = first[n] + parts[n].cut.teams();
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    int n = 0;
    if constexpr (Most > 1) {
      while (team >= first[n + 1]) ++n;
    }
    NoWatch watch;
    march(parts[n], team - first[n], thread, watch);
  }
};

/// A thread takes one piece after the other, so that few tallies are left to join.
template <class March, class Real>
struct WatchedMarch : JoiningTallies {
  using Bounds = Kokkos::LaunchBounds<comm::TileCut::threads, 4>;
  static constexpr int marches_noted = 1 << 10;  ///< before the counters are handed over
  using Policy = Kokkos::RangePolicy<comm::Space, Bounds, Kokkos::IndexType<int>>;
  March march;
  typename March::Part part;
  WatchSettings<Real> settings;
  int at_once;  ///< teams

  WatchedMarch(const March& the_march, const comm::Box& box, const comm::Tile& tile, const WatchSettings<Real>& the_settings,
               int most_threads)
      : march(the_march),
        part(march.part(box, tile)),
        settings(the_settings),
        at_once(std::clamp(most_threads / comm::TileCut::threads, 1, part.cut.teams())) {}
  KOKKOS_INLINE_FUNCTION void operator()(int n, Tally& tally) const {
    Watch<Real> watch(tally, settings);
    int noted = 0;
    for (int team = n / comm::TileCut::threads; team < part.cut.teams(); team += at_once) {
      march(part, team, n % comm::TileCut::threads, watch);
      if (++noted % marches_noted == 0) watch.hand_over();
    }
    watch.hand_over();
  }
};

template <int Most, class Body>
void march_unwatched(const comm::Space& space, std::span<const comm::Box> boxes, const comm::Tile& tile, const Body& body) {
  using Bounds = Kokkos::LaunchBounds<comm::TileCut::threads, Residency<Body>::teams>;
  const UnwatchedMarch<Body, Most> functor(body, boxes, tile);
  comm::for_each_thread<Bounds>(space, "diffuse", functor.first[Most], comm::TileCut::threads, functor);
}

template <bool Isotropic, int Rows, int Dim, class Real, class Medium, class Cells>
void march(const comm::Space& space, const comm::Box& box, const comm::Tile& tile, const Update<Dim, Real, Medium, Cells>& update,
           TallyBoard<Real>* board) {
  using Body = March<Dim, Rows, Isotropic, Update<Dim, Real, Medium, Cells>, Real>;
  const Body body{update};
  if (board == nullptr) {
    march_unwatched<1>(space, std::span(&box, 1), tile, body);
  } else {
    using Functor = WatchedMarch<Body, Real>;
    const Functor functor(body, box, tile, board->settings(), space.concurrency() / 4);
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

/// The slabs that are left of a block without its middle, in one launch, and with one row a thread, as some are one row wide.
inline constexpr std::size_t most_slabs = 6;
template <int Dim, class Real, class Medium, class Cells>
void march_through_slabs(const comm::Space& space, std::span<const comm::Box> boxes, const comm::Tile& tile, bool isotropic,
                         const Update<Dim, Real, Medium, Cells>& update) {
  using Whole = Update<Dim, Real, Medium, Cells>;
  if constexpr (std::is_same_v<Medium, VaryingMedium<Real>>) {
    if (!isotropic) return march_unwatched<most_slabs>(space, boxes, tile, March<Dim, 1, false, Whole, Real>{update});
  }
  march_unwatched<most_slabs>(space, boxes, tile, March<Dim, 1, true, Whole, Real>{update});
}

}  // namespace halotherm::solver::detail
