// SPDX-License-Identifier: MIT
// A level's part of a symmetric multigrid cycle: two Jacobi sweeps on the way down, the same two in
// the opposite order on the way up. Corrections are constant in a coarse cell.
#pragma once

#include "solver/diagnostics/exact_reduction.hpp"
#include "solver/multigrid/coarsening.hpp"
#include "solver/multigrid/exchange.hpp"

namespace halotherm::solver {

/// The equation A x = b of a level, and how its cells are joined. Values depend on neither threads
/// nor partition. Where `exchange` is given, it makes ghost cells valid, in one layer, between the
/// sweeps. On CPUs, in three dimensions, it may be empty if no block ends between two cells that
/// are joined: then each function below is one pass over memory, which computes cells around the
/// block, and ghost cells of the matrix and of b, on the way up of x and the coarse correction too,
/// must be valid in as many layers as sweeps, edges and corners included.
struct SymmetricCycle {
  static constexpr int sweeps = 2;

  Coarsening coarsening;
  AnyMatrixView A;
  Kokkos::Array<float, sweeps> weights;
  comm::GridView<const float> b;
  comm::Box owned, coarse_owned;
  /// whether blocks end between two cells that are joined
  bool splits_pairs = false;
  Exchange exchange;
};

/// x = two sweeps that begin with x = 0; coarse_b = the sums of b − A x over joined cells. `next`
/// is scratch. Asynchronous on `space`, but for `exchange`.
void descend(const comm::Space& space, const SymmetricCycle& cycle, Field<float>& x,
             Field<float>& next, const comm::GridView<float>& coarse_b);
/// x += the value of the coarse cell, then two sweeps. `next` is scratch. Asynchronous likewise.
void ascend(const comm::Space& space, const SymmetricCycle& cycle,
            const comm::GridView<const float>& coarse_x, Field<float>& x, Field<float>& next);
/// The same, and the sum of b · x, which depends on neither threads nor partition. Blocking.
ProductSum ascend_and_sum(const comm::Space& space, const SymmetricCycle& cycle,
                          const comm::GridView<const float>& coarse_x, Field<float>& x,
                          Field<float>& next, const SumScale& scale);

}  // namespace halotherm::solver
