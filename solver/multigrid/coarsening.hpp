// SPDX-License-Identifier: MIT
// Between a level of the multigrid and the next coarser one.
#pragma once

#include "solver/linear/any_matrix.hpp"

namespace halotherm::solver {

/// How cells are joined: a coarse cell I has the fine cells from `factors` · I on along each axis.
/// Where the factor is 2 and the number of cells is odd, the last coarse cell has one of them, or
/// three.
struct Coarsening {
  LevelGrid fine;
  comm::Int3 factors{1, 1, 1};  ///< 1 or 2
  /// whether it has three, for each axis
  Kokkos::Array<bool, 3> ends_in_three{false, false, false};

  LevelGrid coarse() const;
  KOKKOS_FORCEINLINE_FUNCTION int coarse_cells(int axis) const {
    const int shift = factors[axis] - 1;
    return (fine.cells[axis] + (ends_in_three[axis] ? 0 : shift)) >> shift;
  }
  /// The coarse cell of a fine one.
  KOKKOS_FORCEINLINE_FUNCTION int parent(int axis, int index) const {
    return Kokkos::min(index >> (factors[axis] - 1), coarse_cells(axis) - 1);
  }
  /// The same of a cell that may lie beyond a periodic side, by as many cells as the axis has.
  int parent_beyond(int axis, int index) const {
    const int cells = fine.cells[axis];
    const int round = index < 0 ? -1 : index < cells ? 0 : 1;
    return parent(axis, index - round * cells) + round * coarse_cells(axis);
  }
};

/// The fine cells of a coarse one along an axis.
struct Children {
  int first;
  int end;
};
KOKKOS_FORCEINLINE_FUNCTION Children children(const Coarsening& c, int axis, int coarse) {
  const int first = c.factors[axis] * coarse, end = first + c.factors[axis];
  if (c.ends_in_three[axis] && end + 1 == c.fine.cells[axis]) return {first, end + 1};
  return {first, Kokkos::min(end, c.fine.cells[axis])};
}

/// Joins along those axes whose faces conduct at least a fourth as much, on average, as those of
/// the axis that conducts best, among the axes with several cells: where cells are flat, errors
/// along the weak axes are not smooth and must stay visible. `conductance`: the sum along each
/// axis.
Coarsening coarsening_of(const LevelGrid& fine, const std::array<double, 3>& conductance);
/// The same of a separable matrix, where the share is 0.45, and a last cell without a pair joins
/// the two below it if it is thin: at most 0.8 as wide as the one below.
Coarsening coarsening_of(const LevelGrid& fine, const SeparableMatrix& matrix);

/// The coarse matrix: each coarse face is the sum of its fine faces, each in series with half of
/// what lies between the fine centres on both of its sides, but at least half of its own
/// conductance, without which jumps of K make corrections too large. All functions work on the
/// coarse or the fine cells that a block owns, read ghost cells of the other level where blocks end
/// between two cells that are joined, and are asynchronous on `space`.
void coarsen(const comm::Space& space, const Coarsening& coarsening, const comm::Box& coarse_owned,
             const MatrixView& fine, Matrix& coarse);
/// Of a separable matrix, the one with the same K on the coarse cells: their faces conduct as those
/// of fine cells with the same centres do. Blocking.
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
/// x += the value of the coarse cell. That of void cells means nothing, and no cell reads it.
void add_correction(const comm::Space& space, const Coarsening& coarsening,
                    const comm::Box& fine_owned, const comm::GridView<const float>& coarse,
                    const comm::GridView<float>& x);

}  // namespace halotherm::solver
