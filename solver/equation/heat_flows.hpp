// SPDX-License-Identifier: MIT
// Conditions at a face: a fixed temperature, or heat flows that add up.
#pragma once

#include "solver/equation/face_balance.hpp"
#include "solver/equation/sides.hpp"

namespace halotherm::solver {

/// Every linear condition makes the ghost temperature an affine function of the one inside: T_ghost
/// = alpha T_inside + beta. The condition is met at the face between the two, second order: T_face
/// = (T_ghost + T_inside)/2, outward gradient (T_ghost − T_inside)/h.
using AffineGhost = Affine<double>;

/// A sum of heat flows: the flux into the domain is flux + coefficient (ambient − T_face) +
/// emissivity sigma (surroundings⁴ − T_face⁴).
struct HeatFlows {
  double flux = 0;          ///< [W/m²]
  double coefficient = 0;   ///< of convection [W/(m² K)], >= 0
  double ambient = 0;       ///< [K]
  double emissivity = 0;    ///< from 0 to 1
  double surroundings = 0;  ///< to which the face radiates [K], >= 0
};

/// Fixed temperature [K] of the face.
KOKKOS_INLINE_FUNCTION AffineGhost dirichlet(double temperature) {
  return {-1.0, 2.0 * temperature};
}

/// For flows without radiation, and K that does not depend on the temperature. K [W/(m K)] of the
/// cell, h [m] its size across the face.
KOKKOS_INLINE_FUNCTION AffineGhost ghost_of(const HeatFlows& flows, double conductivity, double h) {
  if (flows.coefficient == 0) return {1.0, flows.flux * h / conductivity};
  const double conductance = conductivity / h;
  const double half = 0.5 * flows.coefficient;
  return {(conductance - half) / (conductance + half),
          (flows.flux + flows.coefficient * flows.ambient) / (conductance + half)};
}

/// `half` [W/(m² K)]: the conductance between the face and the cell's centre, 2K/h.
KOKKOS_INLINE_FUNCTION FaceBalance face_balance(const HeatFlows& flows, double half) {
  const double radiated = flows.emissivity * stefan_boltzmann;
  const double squared = flows.surroundings * flows.surroundings;
  return {half, flows.coefficient,
          flows.flux + flows.coefficient * flows.ambient + radiated * squared * squared, radiated};
}

/// The ghost temperature as a Real computes it.
template <class Real>
KOKKOS_INLINE_FUNCTION Affine<Real> rounded(const AffineGhost& ghost) {
  return {static_cast<Real>(ghost.alpha), static_cast<Real>(ghost.beta)};
}

}  // namespace halotherm::solver
