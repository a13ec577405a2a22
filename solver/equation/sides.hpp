// SPDX-License-Identifier: MIT
// The physical sides of a block, in kernels.
#pragma once

#include "comm/partition/box.hpp"
#include "solver/medium/stencil.hpp"

namespace halotherm::solver {

/// T_ghost = alpha T_inside + beta.
template <class Real>
struct Affine {
  Real alpha = 0;
  Real beta = 0;  ///< [K]
};

/// The condition of one side.
template <class Real>
struct SideCondition {
  bool present = false;  ///< else another block or the domain's other end adjoins
  Affine<Real> of_all;
  const Affine<Real>* of_cell = nullptr;  ///< one a cell, x fastest, where cells differ
};

/// The sides at which a block touches the domain's boundary. Beyond such a side no cell is read:
/// the neighbour's temperature is computed where it is needed, so that boundaries cost no pass over
/// memory.
template <class Real>
struct Sides {
  comm::Box owned;
  SideCondition<Real> condition[3][2];

  KOKKOS_FORCEINLINE_FUNCTION bool at_lower(int axis, int first, int count = 1) const {
    return condition[axis][0].present && first <= owned.lower[axis] &&
           owned.lower[axis] < first + count;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool at_upper(int axis, int first, int count = 1) const {
    return condition[axis][1].present && first < owned.upper[axis] &&
           owned.upper[axis] <= first + count;
  }
  /// Whether one of `count` cells from `first` on has a physical side along the axis.
  KOKKOS_FORCEINLINE_FUNCTION bool at(int axis, int first, int count = 1) const {
    return at_lower(axis, first, count) || at_upper(axis, first, count);
  }

  /// The condition of the cell (i, j, k) at the lower (0) or upper (1) side across the axis.
  template <int Axis>
  KOKKOS_FORCEINLINE_FUNCTION Affine<Real> condition_of(int end, int i, int j, int k) const {
    const auto& side = condition[Axis][end];
    if (side.of_cell == nullptr) return side.of_all;
    const int column = Axis == 0 ? j - owned.lower[1] : i - owned.lower[0];
    const int row = Axis == 2 ? j - owned.lower[1] : k - owned.lower[2];
    return side.of_cell[column + std::int64_t{row} * owned.extent(Axis == 0 ? 1 : 0)];
  }

  /// The ghost temperatures of a row of cells from (i, j, k) on at a side across y or z; lanes that
  /// are no cells of the block do not matter.
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value ghosts(int end, const Value& inside, int i, int j,
                                           int k) const {
    const auto& side = condition[Axis][end];
    if (side.of_cell == nullptr)
      return broadcast<Value>(side.of_all.alpha) * inside + broadcast<Value>(side.of_all.beta);
    Value result = inside;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n) {
      if (i + n < owned.lower[0] || i + n >= owned.upper[0]) continue;
      const auto affine = condition_of<Axis>(end, i + n, j, k);
      set_lane(result, n, affine.alpha * lane(inside, n) + affine.beta);
    }
    return result;
  }

  /// Puts ghost temperatures where neighbours of the cells from (i, j, k) on lie beyond a side.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void replace_ghosts(Star<Dim, Value>& T, int i, int j, int k) const {
    replace_ghosts_across<0>(T, i, j, k);
    if constexpr (Dim > 1) replace_ghosts_across<1>(T, i, j, k);
    if constexpr (Dim > 2) replace_ghosts_across<2>(T, i, j, k);
  }

  /// Puts ghost temperatures beyond the two sides across one axis.
  template <int Axis, int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void replace_ghosts_across(Star<Dim, Value>& T, int i, int j,
                                                         int k) const {
    if constexpr (Axis == 0) {
      if (at_lower(0, i, width_of<Value>))
        replace_x(T.lower[0], T.here, 0, i, owned.lower[0], j, k);
      if (at_upper(0, i, width_of<Value>))
        replace_x(T.upper[0], T.here, 1, i, owned.upper[0] - 1, j, k);
    } else {
      const int at = Axis == 1 ? j : k;
      if (at_lower(Axis, at)) T.lower[Axis] = ghosts<Axis>(0, T.here, i, j, k);
      if (at_upper(Axis, at)) T.upper[Axis] = ghosts<Axis>(1, T.here, i, j, k);
    }
  }

 private:
  /// The ghost temperature of the one cell at `side` among those from i on.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void replace_x(Value& neighbours, const Value& here, int end, int i,
                                             int side, int j, int k) const {
    const auto affine = condition_of<0>(end, side, j, k);
    neighbours = with_lane(neighbours, side - i,
                           broadcast<Value>(affine.alpha) * here + broadcast<Value>(affine.beta));
  }
};

}  // namespace halotherm::solver
