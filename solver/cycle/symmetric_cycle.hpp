// SPDX-License-Identifier: MIT
// A level's part of a symmetric multigrid cycle: two Jacobi sweeps on the way down, the same two in
// the opposite order on the way up.
#pragma once

#include "solver/cycle/transfer.hpp"
#include "solver/diagnostics/exact_reduction.hpp"
#include "solver/multigrid/exchange.hpp"

namespace halotherm::solver {

/// The equation A x = b of a level, and the transfer to the next one. Values depend on neither
/// threads nor partition. Where `exchange` is given, it makes ghost cells valid, in one layer,
/// between the sweeps and after them, in two where blocks end between two cells that are joined. On
/// CPUs, in three dimensions, it may be empty if none does: then each function below is one pass
/// over memory, which computes cells around the block, and ghost cells of the matrix and of b, on
/// the way up of x too, must be valid in `layers` layers, edges and corners included. Ghost cells
/// of shares and of the coarse correction must be valid in one layer, or in two without `exchange`.
struct SymmetricCycle {
  static constexpr int sweeps = 2;
  /// Ghost cells that both sweeps, a residual beside the block and its faces need.
  static constexpr int layers = sweeps + 2;

  TransferView transfer;
  AnyMatrixView A;
  Kokkos::Array<float, sweeps> weights;
  comm::GridView<const float> b;
  comm::Box owned, coarse_owned;
  Exchange exchange;

  const LevelGrid& grid() const { return transfer.c.fine; }
};

/// x = two sweeps that begin with x = 0; coarse_b = the restricted b − A x. `next` is scratch.
/// Asynchronous on `space`, but for `exchange`.
void descend(const comm::Space& space, const SymmetricCycle& cycle, Field<float>& x,
             Field<float>& next, const comm::GridView<float>& coarse_b);
/// x += the correction, then two sweeps. `next` is scratch. Asynchronous likewise.
void ascend(const comm::Space& space, const SymmetricCycle& cycle,
            const comm::GridView<const float>& coarse_x, Field<float>& x, Field<float>& next);
/// The same, and the sum of b · x, which depends on neither threads nor partition. Blocking.
ProductSum ascend_and_sum(const comm::Space& space, const SymmetricCycle& cycle,
                          const comm::GridView<const float>& coarse_x, Field<float>& x,
                          Field<float>& next, const SumScale& scale);

}  // namespace halotherm::solver
