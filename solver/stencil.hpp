// SPDX-License-Identifier: MIT
// The one stencil expression of the program.
#pragma once

#include "solver/heat_equation.hpp"

namespace halotherm::solver {

/// div(K grad T) of a cell [W/m³] on `Dim` axes, second order: per axis the flows through its two faces,
/// G⁻ (T⁻ − T) + G⁺ (T⁺ − T) with G = K/h² of the face. What one cell gives the other gets exactly, so heat is conserved to
/// rounding; swapping the ends of an axis swaps the two terms of a sum, so symmetric fields stay symmetric to the last bit.
template <int Dim, class Conductance, class Real>
KOKKOS_FORCEINLINE_FUNCTION Real divergence_of_flux(const comm::GridView<const Real>& T, const Conductance& G, int i, int j,
                                                    int k) {
  const Real here = T(i, j, k);
  Real sum = G.face(0, i, j, k) * (T(i - 1, j, k) - here) + G.face(0, i + 1, j, k) * (T(i + 1, j, k) - here);
  if constexpr (Dim > 1) sum += G.face(1, i, j, k) * (T(i, j - 1, k) - here) + G.face(1, i, j + 1, k) * (T(i, j + 1, k) - here);
  if constexpr (Dim > 2) sum += G.face(2, i, j, k) * (T(i, j, k - 1) - here) + G.face(2, i, j, k + 1) * (T(i, j, k + 1) - here);
  return sum;
}

}  // namespace halotherm::solver
