// SPDX-License-Identifier: MIT
// From the correction of a coarse level to that of a level: interpolation and three Jacobi sweeps.
#pragma once

#include "solver/multigrid/exchange.hpp"
#include "solver/multigrid/interpolation.hpp"

namespace halotherm::solver {

/// What an ascent computes: c, the interpolated `coarse`, then three times
/// c = c + weight D⁻¹ (b − A c).
struct Ascent {
  static constexpr int sweeps = 3;

  LevelGrid grid;
  SeparableView A;
  InterpolationView interpolation;
  Kokkos::Array<float, sweeps> weights;
  comm::GridView<const float> b;
  comm::GridView<const float> coarse;
};

/// x = the correction. The ghost cells of `coarse` must be valid: in one layer, and those of b need
/// not, if `exchange` is given, which is called between the sweeps; else as many layers as sweeps,
/// of b too, edges and corners included, and cells around the block are computed instead. x and
/// `next` are overwritten, ghost cells too; beyond sides of the domain they must be 0. Without
/// `exchange`, GPUs compute all of it in one pass over memory in three dimensions, if the block is
/// not small; values do not depend on the way. Asynchronous on `space`.
void ascend(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
            const Exchange& exchange, Field<float>& x, Field<float>& next);
/// values += factor · the correction; x and `next` are scratch. Instantiated for float and double.
template <class Real>
void ascend_onto(const comm::Space& space, const comm::Box& owned, const Ascent& ascent,
                 const Exchange& exchange, Field<float>& x, Field<float>& next, double factor,
                 const comm::GridView<Real>& values);

}  // namespace halotherm::solver
