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
  KOKKOS_FORCEINLINE_FUNCTION int parent_beyond(int axis, int index) const {
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

/// The same of a coarse cell that may lie beyond a periodic side, by as many cells as the axis has.
KOKKOS_FORCEINLINE_FUNCTION Children children_beyond(const Coarsening& c, int axis, int coarse) {
  const int coarse_cells = c.coarse_cells(axis), cells = c.fine.cells[axis];
  const int round = coarse < 0 ? -1 : coarse < coarse_cells ? 0 : 1;
  const auto within = children(c, axis, coarse - round * coarse_cells);
  return {within.first + round * cells, within.end + round * cells};
}

/// The separable matrix with the same K on the coarse cells: their faces conduct as those
/// of fine cells with the same centres do. Blocking.
SeparableMatrix coarsened(const Coarsening& coarsening, const SeparableMatrix& fine);
}  // namespace halotherm::solver
