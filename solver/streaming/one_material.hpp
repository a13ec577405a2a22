// SPDX-License-Identifier: MIT
// Updates within one material.
#pragma once

#include "comm/device/prefetch.hpp"
#include "solver/equation/update.hpp"

namespace halotherm::solver {

/// Whether all cells are of one material with one K for all axes, and the source is one number.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION bool is_one_material(const MaterialsView<Real>& materials,
                                                 const CellSource<Real>& source) {
  return !materials.has_several() && materials.isotropic && source.uniform();
}

/// The heating there as an increment of the heat content, where rho c is one number.
template <class Real>
struct OneCapacityHeating : ConstantHeating<Real> {
  Real capacity;          ///< rho c [J/(m³ K)]
  Real inverse_capacity;  ///< [m³ K/J]

  explicit KOKKOS_FORCEINLINE_FUNCTION OneCapacityHeating(const TabulatedHeating<Real>& heating)
      : ConstantHeating<Real>{heating.dt, heating.source.value.value},
        capacity(heating.materials.materials->heat_capacity.smallest),
        inverse_capacity(*heating.materials.inverse_capacity) {}

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value content_between(const Value& from, const Value& to, int, int,
                                                    int) const {
    return (to - from) * broadcast<Value>(capacity);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value heated(const Value& T, const Value& content, int, int,
                                           int) const {
    return multiply_add(content, broadcast<Value>(inverse_capacity), T);
  }
};
template <class Real>
inline constexpr bool is_of_content<OneCapacityHeating<Real>> = true;

/// The same where rho c depends on the temperature.
template <class Real>
struct OneTableHeating : ConstantHeating<Real> {
  const MaterialsView<Real>& materials;

  explicit KOKKOS_FORCEINLINE_FUNCTION OneTableHeating(const TabulatedHeating<Real>& heating)
      : ConstantHeating<Real>{heating.dt, heating.source.value.value},
        materials(heating.materials) {}

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value heated(const Value& T, const Value& content, int, int,
                                           int) const {
    Value result;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n)
      set_lane(result, n, materials.heated(0, lane(T, n), lane(content, n)));
    return result;
  }
};
template <class Real>
inline constexpr bool is_of_content<OneTableHeating<Real>> = true;

/// Calls a function with the operator there; one without heating is the same as elsewhere.
template <class Operator, class Function>
KOKKOS_FORCEINLINE_FUNCTION void within_material(const Operator& op, const Function& call) {
  call(op);
}
template <class Real, class Function>
KOKKOS_FORCEINLINE_FUNCTION void within_material(const EulerCells<TabulatedHeating<Real>>& op,
                                                 const Function& call) {
  if (op.heating.materials.inverse_capacity != nullptr) {
    call(EulerCells<OneCapacityHeating<Real>>{OneCapacityHeating<Real>(op.heating)});
  } else {
    call(EulerCells<OneTableHeating<Real>>{OneTableHeating<Real>(op.heating)});
  }
}
/// Stages are taken within one material where rho c is one number.
template <class Real, class Function>
KOKKOS_FORCEINLINE_FUNCTION void within_material(
    const RungeKuttaCells<TabulatedHeating<Real>, Real>& op, const Function& call) {
  call(RungeKuttaCells<OneCapacityHeating<Real>, Real>{OneCapacityHeating<Real>(op.heating),
                                                       op.start, op.older_field, op.first_field,
                                                       op.input, op.older, op.first});
}

/// Whether an operator asks faces for nothing but what flows through them, as all but CellJacobi.
template <class Operator>
inline constexpr bool asks_for_flows_only = true;
template <class Real>
inline constexpr bool asks_for_flows_only<CellJacobi<Real>> = false;

/// Asks for what the operator reads of cells beside the temperatures of their stencil.
template <class Operator>
KOKKOS_FORCEINLINE_FUNCTION void prefetch_stage([[maybe_unused]] const Operator& op,
                                                [[maybe_unused]] int i, [[maybe_unused]] int j,
                                                [[maybe_unused]] int k) {
  if constexpr (requires { op.start; }) {
    comm::prefetch(&op.start.field(i, j, k));
    comm::prefetch(&op.older_field.field(i, j, k));
    comm::prefetch(&op.first_field.field(i, j, k));
  }
}

/// The source that an operator has, itself or in its heating.
template <class Operator>
KOKKOS_FORCEINLINE_FUNCTION const auto& source_of(const Operator& op) {
  if constexpr (requires { op.heating; }) {
    return op.heating.source;
  } else if constexpr (requires { op.residual; }) {
    return op.residual.source;
  } else {
    return op.source;
  }
}

}  // namespace halotherm::solver
