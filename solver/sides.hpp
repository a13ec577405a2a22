// SPDX-License-Identifier: MIT
// What kernels know of the physical sides of a block.
#pragma once

#include "comm/box.hpp"
#include "solver/stencil.hpp"

namespace halotherm::solver {

/// Conditions of the sides at which a block touches the domain's boundary. Beyond such a side no cell is read: the neighbour's
/// temperature is T_ghost = alpha T_inside + beta, computed where it is needed, so that boundaries cost no pass over memory.
template <class Real>
struct Sides {
  comm::Box owned;
  const Real* condition[3][2] = {};  ///< alpha and beta alternating, null where another block or the domain's other end adjoins
  std::int64_t stride[3][2] = {};    ///< 2, or 0 where one condition holds for all cells of the side

  KOKKOS_FORCEINLINE_FUNCTION bool at_lower(int axis, int first, int count = 1) const {
    return condition[axis][0] != nullptr && first <= owned.lower[axis] && owned.lower[axis] < first + count;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool at_upper(int axis, int first, int count = 1) const {
    return condition[axis][1] != nullptr && first < owned.upper[axis] && owned.upper[axis] <= first + count;
  }
  /// Whether one of `count` cells from `first` on has a physical side along the axis.
  KOKKOS_FORCEINLINE_FUNCTION bool at(int axis, int first, int count = 1) const {
    return at_lower(axis, first, count) || at_upper(axis, first, count);
  }

  /// Puts ghost temperatures where neighbours of the cells from (i, j, k) on lie beyond a side.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void replace_ghosts(Star<Dim, Value>& T, int i, int j, int k) const {
    if (at_lower(0, i, width_of<Value>)) replace_x(T.lower[0], T.here, 0, i, owned.lower[0], j, k);
    if (at_upper(0, i, width_of<Value>)) replace_x(T.upper[0], T.here, 1, i, owned.upper[0] - 1, j, k);
    if constexpr (Dim > 1) {
      if (at_lower(1, j)) replace(T.lower[1], T.here, 1, 0, i, k - owned.lower[2]);
      if (at_upper(1, j)) replace(T.upper[1], T.here, 1, 1, i, k - owned.lower[2]);
    }
    if constexpr (Dim > 2) {
      if (at_lower(2, k)) replace(T.lower[2], T.here, 2, 0, i, j - owned.lower[1]);
      if (at_upper(2, k)) replace(T.upper[2], T.here, 2, 1, i, j - owned.lower[1]);
    }
  }

 private:
  /// Of the one cell at `side` among those from i on.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void replace_x(Value& neighbours, const Value& here, int end, int i, int side, int j, int k) const {
    const std::int64_t cell = (j - owned.lower[1]) + std::int64_t{k - owned.lower[2]} * owned.extent(1);
    const Real* affine = condition[0][end] + cell * stride[0][end];
    neighbours = with_lane(neighbours, side - i, broadcast<Value>(affine[0]) * here + broadcast<Value>(affine[1]));
  }

  /// Of a row of cells at a side across y or z, the row-th of that side; lanes that are no cells of the block do not matter.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void replace(Value& neighbours, const Value& here, int axis, int end, int i, int row) const {
    if (stride[axis][end] == 0) {
      const Real* affine = condition[axis][end];
      neighbours = broadcast<Value>(affine[0]) * here + broadcast<Value>(affine[1]);
      return;
    }
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n) {
      if (i + n < owned.lower[0] || i + n >= owned.upper[0]) continue;
      const std::int64_t cell = (i + n - owned.lower[0]) + std::int64_t{row} * owned.extent(0);
      const Real* affine = condition[axis][end] + cell * stride[axis][end];
      set_lane(neighbours, n, affine[0] * lane(here, n) + affine[1]);
    }
  }
};

}  // namespace halotherm::solver
