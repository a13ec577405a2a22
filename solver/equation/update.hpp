// SPDX-License-Identifier: MIT
// What operators make of a cell or of a pack of cells: one stencil expression for all of them.
#pragma once

#include "solver/equation/heat_equation.hpp"
#include "solver/equation/sides.hpp"

namespace halotherm::solver {

/// Forward Euler where 1/(rho c) and q are the same everywhere.
template <class Real>
struct ConstantEuler {
  Real step_over_capacity;  ///< dt/(rho c) [m³ K/W]
  Real source;              ///< q [W/m³]

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& T, const Faces& faces, int,
                                               int, int) const {
    const Value heating = divergence_of_flux<Dim>(T, faces, broadcast<Value>(source));
    return multiply_add(broadcast<Value>(step_over_capacity), heating, T.here);
  }
};

/// Forward Euler where 1/(rho c) or q may vary.
template <class Real>
struct VaryingEuler {
  CellValue<Real> inverse_capacity;
  CellValue<Real> source;
  Real dt;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& T, const Faces& faces, int i,
                                               int j, int k) const {
    const Value heating = divergence_of_flux<Dim>(T, faces, source.template at<Value>(i, j, k));
    return multiply_add(broadcast<Value>(dt) * inverse_capacity.template at<Value>(i, j, k),
                        heating, T.here);
  }
};

/// Forward Euler where K and rho c depend on the temperature: the heat that a cell receives is
/// added to its heat content, so no step jumps over a peak of rho c.
template <class Real>
struct TabulatedEuler {
  MaterialsView<Real> materials;
  CellValue<Real> source;
  Real dt;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& T, const Faces& faces, int i,
                                               int j, int k) const {
    const Value heating = divergence_of_flux<Dim>(T, faces, source.template at<Value>(i, j, k));
    const Value heat = broadcast<Value>(dt) * heating;
    Value result;
    for (int n = 0; n < width_of<Value>; ++n)
      set_lane(result, n,
               materials.at(i + n, j, k).heat_capacity.advanced(lane(T.here, n), lane(heat, n)));
    return result;
  }
};

/// div(K grad T) + q [W/m³].
template <class Real>
struct CellResidual {
  CellValue<Real> source;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& T, const Faces& faces, int i,
                                               int j, int k) const {
    return divergence_of_flux<Dim>(T, faces, source.template at<Value>(i, j, k));
  }
};

/// T + weight · residual / D, where D is the sum of the faces' conductances.
template <class Real>
struct CellJacobi {
  CellResidual<Real> residual;
  Real weight;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& T, const Faces& faces, int i,
                                               int j, int k) const {
    Value diagonal = faces.template both<Value>(0);
    HALOTHERM_UNROLL
    for (int axis = 1; axis < Dim; ++axis) diagonal = diagonal + faces.template both<Value>(axis);
    const Value step = broadcast<Value>(weight) * reciprocal(diagonal);
    return multiply_add(step, residual.template operator()<Dim>(T, faces, i, j, k), T.here);
  }
};

/// Everything a kernel needs to apply an operator to any cell of the block. `Value` is Real or
/// Pack<Real>.
template <int Dim, class Real, class Medium, class Operator>
struct Update {
  static constexpr int dimensions = Dim;
  comm::GridView<const Real> T;
  comm::GridView<Real> next;
  Medium medium;
  Operator op;
  Sides<Real> sides;

  /// The temperatures that the cells from (i, j, k) on need.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Star<Dim, Value> star(int i, int j, int k) const {
    return neighbours<Dim>(load_unaligned<Value>(&T(i, j, k)), i, j, k);
  }

  /// The star where the temperatures along z are already loaded.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Star<Dim, Value> star_between(const Value& below, const Value& here,
                                                            const Value& above, int i, int j,
                                                            int k) const {
    constexpr int others = Dim < 3 ? Dim : 2;
    auto star = neighbours<others>(here, i, j, k);
    if constexpr (Dim > 2) {
      star.lower[2] = below;
      star.upper[2] = above;
    }
    return star;
  }

  /// Whether a physical side may be among the neighbours of cells in this row.
  KOKKOS_FORCEINLINE_FUNCTION bool row_at_side(int j, int k) const {
    return (Dim > 1 && sides.at(1, j)) || (Dim > 2 && sides.at(2, k));
  }

  /// The new temperatures of the cells from (i, j, k) on, not yet stored.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(int i, int j, int k, bool at_side) const {
    auto T_star = star<Value>(i, j, k);
    if (at_side) sides.template replace_ghosts<Dim>(T_star, i, j, k);
    return op.template operator()<Dim>(T_star, medium.faces_of(T_star, i, j, k), i, j, k);
  }

 private:
  /// The neighbours along the first `Axes` axes, around a temperature that is already loaded.
  template <int Axes, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Star<Dim, Value> neighbours(const Value& here, int i, int j,
                                                          int k) const {
    Star<Dim, Value> star;
    star.here = here;
    const Real* centre = &T(i, j, k);
    const std::int64_t stride[3] = {1, T.row, T.plane};
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Axes; ++axis) {
      star.lower[axis] = load_unaligned<Value>(centre - stride[axis]);
      star.upper[axis] = load_unaligned<Value>(centre + stride[axis]);
    }
    return star;
  }
};

}  // namespace halotherm::solver
