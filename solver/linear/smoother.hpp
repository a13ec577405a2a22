// SPDX-License-Identifier: MIT
// Jacobi sweeps and residuals of A x = b on a block.
#pragma once

#include "solver/linear/any_matrix.hpp"

namespace halotherm::solver {

/// Weights of Jacobi sweeps whose product is the Chebyshev polynomial that is smallest on
/// [lowest, 2], where 2 bounds the eigenvalues of D⁻¹A by Gershgorin's theorem (Saad 2003,
/// "Iterative Methods for Sparse Linear Systems", ch. 12.3.2). Sweeps in any order make one
/// symmetric smoother.
template <int Sweeps>
Kokkos::Array<float, Sweeps> chebyshev_weights(double lowest);

/// x = weight D⁻¹ b: a sweep that begins with x = 0. Void cells, where the diagonal is 0, get 0; a
/// later sweep leaves them as they are. All functions are asynchronous on `space`; ghost cells of
/// `x` that are read must be valid.
void first_sweep(const comm::Space& space, int dimensions, const comm::Box& owned,
                 const AnyMatrixView& A, float weight, const comm::GridView<const float>& b,
                 const comm::GridView<float>& x);
/// next = x + weight D⁻¹ (b − A x).
void sweep(const comm::Space& space, int dimensions, const comm::Box& owned, const AnyMatrixView& A,
           float weight, const comm::GridView<const float>& b, const comm::GridView<const float>& x,
           const comm::GridView<float>& next);
/// x = 0 in void cells.
void clear_void_cells(const comm::Space& space, int dimensions, const comm::Box& owned,
                      const AnyMatrixView& A, const comm::GridView<float>& x);
/// result = b − A x.
void residual(const comm::Space& space, int dimensions, const comm::Box& owned,
              const AnyMatrixView& A, const comm::GridView<const float>& b,
              const comm::GridView<const float>& x, const comm::GridView<float>& result);

}  // namespace halotherm::solver
