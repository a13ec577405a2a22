// SPDX-License-Identifier: MIT
// What operators make of a cell or of a pack of cells: one stencil expression for all of them.
#pragma once

#include "solver/equation/heat_equation.hpp"
#include "solver/equation/sides.hpp"

namespace halotherm::solver {

/// What a cell heats up by in a step of length dt, dt/(rho c) (div(K grad T) + q) [K], added to
/// another number, where 1/(rho c) and q are the same everywhere.
template <class Real>
struct ConstantHeating {
  Real step_over_capacity;  ///< dt/(rho c) [m³ K/W]
  Real source;              ///< q [W/m³]

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value added_to(const Value& base, const Star<Dim, Value>& T,
                                             const Faces& faces, int, int, int) const {
    const Value heating = divergence_of_flux<Dim>(T, faces, broadcast<Value>(source));
    return multiply_add(broadcast<Value>(step_over_capacity), heating, base);
  }
};

/// The same where 1/(rho c) or q may vary.
template <class Real>
struct VaryingHeating {
  CellValue<Real> inverse_capacity;
  CellSource<Real> source;
  Real dt;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value added_to(const Value& base, const Star<Dim, Value>& T,
                                             const Faces& faces, int i, int j, int k) const {
    const Value heating = divergence_of_flux<Dim>(T, faces, source.template at<Value>(i, j, k));
    return multiply_add(broadcast<Value>(dt) * inverse_capacity.template at<Value>(i, j, k),
                        heating, base);
  }
};

/// The same by the kinds of cells, on GPUs.
template <class Real>
struct HeatingOfKinds {
  comm::GridView<const std::uint8_t> kind;
  const KindHeat<Real>* heats;
  Real dt;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value added_to(const Value& base, const Star<Dim, Value>& T,
                                             const Faces& faces, int i, int j, int k) const {
    const auto kinds = load_bytes<width_of<Value>>(&kind(i, j, k));
    Value inverse_capacity, source;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n) {
      const auto heat = load_heat(heats + kinds.of(n));
      set_lane(inverse_capacity, n, heat.inverse_capacity);
      set_lane(source, n, heat.source);
    }
    return multiply_add(broadcast<Value>(dt) * inverse_capacity,
                        divergence_of_flux<Dim>(T, faces, source), base);
  }
};

/// The same where K and rho c depend on the temperature: increments are of the heat content
/// [J/m³], so no step jumps over a peak of rho c.
template <class Real>
struct TabulatedHeating {
  MaterialsView<Real> materials;
  CellSource<Real> source;
  Real dt;

  /// Whether rho c is the same everywhere, at every temperature, as often.
  KOKKOS_FORCEINLINE_FUNCTION bool has_one_capacity() const {
    return materials.inverse_capacity != nullptr && !materials.has_several();
  }
  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value added_to(const Value& base, const Star<Dim, Value>& T,
                                             const Faces& faces, int i, int j, int k) const {
    const Value heating = divergence_of_flux<Dim>(T, faces, source.template at<Value>(i, j, k));
    return multiply_add(broadcast<Value>(dt), heating, base);
  }
  template <class Value>
  HALOTHERM_CALLED_ON_CPUS Value content_between(const Value& from, const Value& to, int i, int j,
                                                 int k) const {
    if (has_one_capacity())
      return (to - from) * broadcast<Value>(materials.materials->heat_capacity.smallest);
    Value result;
    for (int n = 0; n < width_of<Value>; ++n) {
      const auto& capacity = materials.at(i + n, j, k).heat_capacity;
      set_lane(result, n,
               materials.inverse_capacity != nullptr
                   ? (lane(to, n) - lane(from, n)) * capacity.smallest
                   : capacity.integral_between(lane(from, n), lane(to, n)));
    }
    return result;
  }
  template <class Value>
  HALOTHERM_CALLED_ON_CPUS Value heated(const Value& T, const Value& content, int i, int j,
                                        int k) const {
    if (has_one_capacity())
      return multiply_add(content, broadcast<Value>(*materials.inverse_capacity), T);
    Value result;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n)
      set_lane(result, n,
               materials.heated(materials.number(i + n, j, k), lane(T, n), lane(content, n)));
    return result;
  }
};

template <class Heating>
inline constexpr bool is_of_content = false;
template <class Real>
inline constexpr bool is_of_content<TabulatedHeating<Real>> = true;

/// What a cell takes up from one temperature to another: a difference of temperatures, or of
/// contents.
template <class Heating, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value taken_up(const Heating& heating, const Value& from,
                                           const Value& to, int i, int j, int k) {
  if constexpr (is_of_content<Heating>) {
    return heating.content_between(from, to, i, j, k);
  } else {
    return to - from;
  }
}

/// Forward Euler.
template <class Heating>
struct EulerCells {
  Heating heating;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& T, const Faces& faces, int i,
                                               int j, int k) const {
    if constexpr (is_of_content<Heating>) {
      const auto nothing = broadcast<Value>(0);
      return heating.heated(T.here, heating.added_to(nothing, T, faces, i, j, k), i, j, k);
    } else {
      return heating.added_to(T.here, T, faces, i, j, k);
    }
  }
};

/// A field of which each cell is read before the same kernel may write it.
template <class Real>
struct StageField {
  comm::GridView<const Real> field;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(int i, int j, int k) const {
    if constexpr (comm::kernels_run_on_host) return load_unaligned<Value>(&field(i, j, k));
    return load_before_store<Value>(&field(i, j, k));
  }
};

/// Y_0 + input (Y − Y_0) + older (Y_older − Y_0) + first (Y_1 − Y_0) + heating, where Y_0 is the
/// temperature before the step; of the heat contents where these are not proportional to it.
template <class Heating, class Real>
struct RungeKuttaCells {
  Heating heating;
  StageField<Real> start;  ///< Y_0
  StageField<Real> older_field;
  StageField<Real> first_field;  ///< Y_1
  Real input, older, first;

  template <int Dim, class Value, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Star<Dim, Value>& Y, const Faces& faces, int i,
                                               int j, int k) const {
    const auto Y_0 = start.template at<Value>(i, j, k);
    const auto Y_older = older_field.template at<Value>(i, j, k);
    const auto Y_1 = first_field.template at<Value>(i, j, k);
    Value sum = broadcast<Value>(input) * taken_up(heating, Y_0, Y.here, i, j, k);
    sum = multiply_add(broadcast<Value>(older), taken_up(heating, Y_0, Y_older, i, j, k), sum);
    sum = multiply_add(broadcast<Value>(first), taken_up(heating, Y_0, Y_1, i, j, k), sum);
    sum = heating.added_to(sum, Y, faces, i, j, k);
    if constexpr (is_of_content<Heating>) {
      return heating.heated(Y_0, sum, i, j, k);
    } else {
      return Y_0 + sum;
    }
  }
};

/// The temperatures before the step of the cells from (i, j, k) on: those that the operator
/// starts from, or, if it reads one field only, those of its stencil.
template <class Operator, int Dim, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value before_step(const Operator& op, const Star<Dim, Value>& T, int i,
                                              int j, int k) {
  if constexpr (requires { op.start; }) {
    return op.start.template at<Value>(i, j, k);
  } else {
    return T.here;
  }
}

/// div(K grad T) + q [W/m³].
template <class Real>
struct CellResidual {
  CellSource<Real> source;

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

  /// The new temperatures of the cells from (i, j, k) on, not yet stored; `instrument` takes them
  /// and those before the step.
  template <class Value, class Instrument_>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(int i, int j, int k, bool at_side,
                                               Instrument_& instrument) const {
    auto T_star = star<Value>(i, j, k);
    if (at_side) sides.template replace_ghosts<Dim>(T_star, i, j, k);
    const Value result =
        op.template operator()<Dim>(T_star, medium.faces_of(T_star, i, j, k), i, j, k);
    instrument.add(result, before_step(op, T_star, i, j, k), i, j, k);
    return result;
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
