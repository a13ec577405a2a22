// SPDX-License-Identifier: MIT
// The vectors of conjugate gradients, each updated together with the sum that follows from it.
#pragma once

#include "solver/diagnostics/exact_reduction.hpp"
#include "solver/linear/any_matrix.hpp"

namespace halotherm::solver {

/// The vectors of a new search direction. Ghost cells next to the block must be valid in z and p;
/// they become so in `next`.
struct SearchDirection {
  float factor;
  comm::GridView<const float> z, p;
  comm::GridView<float> next;  ///< = z + factor p
  comm::GridView<float> flow;  ///< = −A next
};

/// Sets both, and gives the sum of next · flow, which depends on neither threads nor partition. On
/// CPUs that is one pass over memory in three dimensions. Blocking.
ProductSum set_direction(const comm::Space& space, const LevelGrid& grid, const comm::Box& owned,
                         const AnyMatrixView& A, const SearchDirection& direction,
                         const SumScale& scale);

/// x += step p; r += step q; the sum of r · r. Blocking.
ProductSum advance(const comm::Space& space, const comm::Box& owned, float step,
                   const comm::GridView<const float>& p, const comm::GridView<const float>& q,
                   const comm::GridView<float>& x, const comm::GridView<float>& r,
                   const SumScale& scale);

}  // namespace halotherm::solver
