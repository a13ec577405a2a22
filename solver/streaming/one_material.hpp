// SPDX-License-Identifier: MIT
// Updates within one material of which nothing but K depends on the temperature.
#pragma once

#include "solver/equation/update.hpp"

namespace halotherm::solver {

/// Whether all cells are of one material whose rho c is one number, and the source is one, too.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION bool only_conductivity_varies(const MaterialsView<Real>& materials,
                                                          const CellSource<Real>& source) {
  return !materials.has_several() && materials.inverse_capacity != nullptr && source.uniform();
}

/// The heating of a step there, as an increment of the heat content.
template <class Real>
struct OneMaterialHeating : ConstantHeating<Real> {
  Real inverse_capacity;  ///< 1/(rho c) [m³ K/J]

  explicit KOKKOS_FORCEINLINE_FUNCTION OneMaterialHeating(const TabulatedHeating<Real>& heating)
      : ConstantHeating<Real>{heating.dt, heating.source.value.value},
        inverse_capacity(*heating.materials.inverse_capacity) {}

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value heated(const Value& T, const Value& content, int, int,
                                           int) const {
    return multiply_add(content, broadcast<Value>(inverse_capacity), T);
  }
};
template <class Real>
inline constexpr bool is_of_content<OneMaterialHeating<Real>> = true;

/// The operators there; what has no heating is as elsewhere.
template <class Operator>
KOKKOS_FORCEINLINE_FUNCTION const Operator& within_material(const Operator& op) {
  return op;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION auto within_material(const EulerCells<TabulatedHeating<Real>>& op) {
  return EulerCells<OneMaterialHeating<Real>>{OneMaterialHeating<Real>(op.heating)};
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
