// SPDX-License-Identifier: MIT
// Residuals on GPUs and their sums over pairs of cells along three axes, while they are in
// registers.
#pragma once

#include "comm/device/lanes.hpp"
#include "solver/field/cell_pair.hpp"
#include "solver/linear/vectors.hpp"
#include "solver/multigrid/joined_sum.hpp"
#include "solver/streaming/plane_streaming.hpp"

#include <algorithm>

namespace halotherm::solver {

/// Where residuals are rounded to, none of which is that of a void cell. `Weighed`: volumes of
/// cells differ.
template <class Real, bool Weighed>
struct RoundedHeating {
  StepMass<Real> mass;
  Rounding<Real> rounding;
  comm::GridView<float> fine;

  KOKKOS_FORCEINLINE_FUNCTION float value(Real heating, Real T, int i, int j, int k) const {
    const Real left = mass.rate > 0 ? mass.added_to(heating, T, i, j, k) : heating;
    return rounding.with_share(left, Weighed ? rounding.shares(i, j, k) : 1.0);
  }
};

/// Streams with two rows a thread; a thread takes several pieces in turn, so that few sums are
/// joined. All blocks' corners are at even indices.
template <class Update, class Real, bool Weighed>
class ResidualStream : public ExactReduction {
  static constexpr int rows = 2, planes = 16, threads = comm::TileGrid::threads;
  static constexpr int teams = 5;  ///< that share a multiprocessor
  using Stream = PlaneStream<3, rows, true, Update, Real>;
  using Bounds = Kokkos::LaunchBounds<threads, teams>;
  using Policy = Kokkos::RangePolicy<comm::Space, Bounds, Kokkos::IndexType<int>>;

 public:
  ResidualStream(const SumScale& the_scale, const Update& update,
                 const RoundedHeating<Real, Weighed>& rounded, const comm::GridView<float>& coarse)
      : ExactReduction(the_scale), stream_{update}, rounded_(rounded), coarse_(coarse) {}

  /// Blocking.
  ProductSum run(const comm::Space& space, const char* label, const comm::Box& owned) {
    part_ = stream_.part(owned, comm::Tile{rows, planes, owned.extent(1)});
    at_once_ = std::clamp(space.concurrency() / comm::threads_of_multiprocessor * teams, 1,
                          part_.cut.teams());
    Collected result;
    Kokkos::parallel_reduce(label, Policy(space, 0, at_once_ * threads), *this, result);
    space.fence(label);
    result.hand_over(scale);
    return result.total;
  }

  KOKKOS_INLINE_FUNCTION void operator()(int n, Collected& value) const {
    Pairs pairs{*this, value};
    for (int team = n / threads; team < part_.cut.teams(); team += at_once_)
      stream_(part_, team, n % threads, pairs);
  }

 private:
  /// What a thread has of the pairs along x of its pack, from two rows in two planes.
  struct Pairs {
    static constexpr bool results_are_stored = false;
    static constexpr int width = Pack<Real>::width;
    const ResidualStream& to;
    Collected& value;
    JoinedSum columns[width] = {};

    /// Lanes [begin, end), even numbers, of the cells from (i, j, k) on.
    KOKKOS_FORCEINLINE_FUNCTION void add(const Pack<Real>& heating, const Pack<Real>& T, int i,
                                         int j, int k, int begin = 0, int end = width) {
      HALOTHERM_UNROLL
      for (int n = 0; n < width; n += 2) {
        if (n < begin || n >= end) continue;
        CellPair<float> pair;
        HALOTHERM_UNROLL
        for (int p = 0; p < 2; ++p) {
          const int lane = n + p;
          pair.cell[p] = to.rounded_.value(heating.lanes[lane], T.lanes[lane], i + lane, j, k);
          columns[lane].add(pair.cell[p]);
        }
        *reinterpret_cast<CellPair<float>*>(&to.rounded_.fine(i + n, j, k)) = pair;
        if ((j & k & 1) == 0) continue;
        const JoinedSum joined = columns[n] + columns[n + 1];
        to.coarse_((i + n) >> 1, j >> 1, k >> 1) = joined.sum;
        to.ExactReduction::add(joined.squares, value);
        columns[n] = columns[n + 1] = {};
      }
    }
  };

  Stream stream_;
  typename Stream::Part part_;
  RoundedHeating<Real, Weighed> rounded_;
  comm::GridView<float> coarse_;
  int at_once_ = 1;  ///< teams
};

}  // namespace halotherm::solver
