// SPDX-License-Identifier: MIT
// Between a level of the multigrid and the next coarser one.
#pragma once

#include "solver/linear/any_matrix.hpp"

namespace halotherm::solver {

/// How cells are joined: a coarse cell I has the fine cells from `factors` · I on along each axis,
/// and the last one along an axis fewer where the number of cells is odd.
struct Coarsening {
  LevelGrid fine;
  comm::Int3 factors{1, 1, 1};  ///< 1 or 2

  LevelGrid coarse() const;
};

/// Joins along those axes whose faces conduct at least a fourth as much, on average, as those of
/// the axis that conducts best, among the axes with several cells: where cells are flat, errors
/// along the weak axes are not smooth and must stay visible. `conductance`: the sum along each
/// axis.
Coarsening coarsening_of(const LevelGrid& fine, const std::array<double, 3>& conductance);

/// The coarse matrix: each coarse face is the sum of its fine faces, each in series with half of
/// what lies between the fine centres on both of its sides, but at least half of its own
/// conductance, without which jumps of K make corrections too large. All functions work on the
/// coarse or the fine cells that a block owns, read ghost cells of the other level where blocks end
/// between two cells that are joined, and are asynchronous on `space`.
void coarsen(const comm::Space& space, const Coarsening& coarsening, const comm::Box& coarse_owned,
             const MatrixView& fine, Matrix& coarse);
/// The same of a separable matrix, along each axis. Blocking.
SeparableMatrix coarsened(const Coarsening& coarsening, const SeparableMatrix& fine);
/// coarse = sums of `fine`.
void restrict_to(const comm::Space& space, const Coarsening& coarsening,
                 const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                 const comm::GridView<float>& coarse);
/// The same of b − A x, which is not stored.
void restrict_residual(const comm::Space& space, const Coarsening& coarsening,
                       const comm::Box& coarse_owned, const AnyMatrixView& A,
                       const comm::GridView<const float>& b, const comm::GridView<const float>& x,
                       const comm::GridView<float>& coarse);
/// x += the value of the coarse cell; void cells of A keep 0.
void add_correction(const comm::Space& space, const Coarsening& coarsening,
                    const comm::Box& fine_owned, const AnyMatrixView& A,
                    const comm::GridView<const float>& coarse, const comm::GridView<float>& x);

}  // namespace halotherm::solver
