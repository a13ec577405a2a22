// SPDX-License-Identifier: MIT
// Between a level of the multigrid and the next coarser one.
#pragma once

#include "solver/linear/any_matrix.hpp"

#include <array>
#include <vector>

namespace halotherm::solver {

/// An axis along which some neighbouring cells are joined in pairs, and others are not.
class PartlyJoined {
 public:
  PartlyJoined() = default;
  /// `first`: that of each coarse cell, then the number of fine cells. Blocking.
  explicit PartlyJoined(const std::vector<int>& first);

  KOKKOS_FORCEINLINE_FUNCTION bool exists() const { return coarse_cells_ > 0; }
  KOKKOS_FORCEINLINE_FUNCTION int coarse_cells() const { return coarse_cells_; }
  KOKKOS_FORCEINLINE_FUNCTION int first(int coarse) const {
    KOKKOS_IF_ON_DEVICE((return first_(coarse);))
    KOKKOS_IF_ON_HOST((return first_on_host_(coarse);))
  }
  KOKKOS_FORCEINLINE_FUNCTION int parent(int index) const {
    KOKKOS_IF_ON_DEVICE((return parent_(index);))
    KOKKOS_IF_ON_HOST((return parent_on_host_(index);))
  }

 private:
  using OnDevice = Kokkos::View<int*, comm::Memory>;

  OnDevice first_, parent_;
  OnDevice::host_mirror_type first_on_host_, parent_on_host_;
  int coarse_cells_ = 0;
};

/// How cells are joined: a coarse cell I has the fine cells from `factors` · I on along each axis.
/// Where the factor is 2 and the number of cells is odd, the last coarse cell has one of them, or
/// three. An axis that is partly joined has the factor 1.
struct Coarsening {
  LevelGrid fine;
  comm::Int3 factors{1, 1, 1};  ///< 1 or 2
  /// whether it has three, for each axis
  Kokkos::Array<bool, 3> ends_in_three{false, false, false};
  Kokkos::Array<PartlyJoined, 3> partly{};

  LevelGrid coarse() const;
  KOKKOS_FORCEINLINE_FUNCTION bool joins(int axis) const {
    return coarse_cells(axis) < fine.cells[axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION int coarse_cells(int axis) const {
    if (partly[axis].exists()) return partly[axis].coarse_cells();
    const int shift = factors[axis] - 1;
    return (fine.cells[axis] + (ends_in_three[axis] ? 0 : shift)) >> shift;
  }
  /// The coarse cell of a fine one.
  KOKKOS_FORCEINLINE_FUNCTION int parent(int axis, int index) const {
    if (partly[axis].exists()) return partly[axis].parent(index);
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
  if (const auto& partly = c.partly[axis]; partly.exists())
    return {partly.first(coarse), partly.first(coarse + 1)};
  const int first = c.factors[axis] * coarse, end = first + c.factors[axis];
  if (c.ends_in_three[axis] && end + 1 == c.fine.cells[axis]) return {first, end + 1};
  return {first, Kokkos::min(end, c.fine.cells[axis])};
}

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
/// x += the value of the coarse cell. That of void cells means nothing, and no cell reads it.
void add_correction(const comm::Space& space, const Coarsening& coarsening,
                    const comm::Box& fine_owned, const comm::GridView<const float>& coarse,
                    const comm::GridView<float>& x);

}  // namespace halotherm::solver
