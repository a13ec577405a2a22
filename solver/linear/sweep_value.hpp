// SPDX-License-Identifier: MIT
// A cell with its neighbours, and what a Jacobi sweep makes of it where conductances are products
// of factors along the axes.
#pragma once

#include "comm/device/grid_view.hpp"
#include "solver/field/arithmetic.hpp"

namespace halotherm::solver {

/// What a cell sees along one axis, by its index: conductances of its faces over its width, all in
/// the units of SeparableView, so with the factors of the other axes divided out.
struct alignas(16) AxisRates {
  float lower = 0;
  float upper = 0;
  float inverse_area = 0;  ///< 1 over its factor of areas
};

/// The values of a cell and of its neighbours below and above along each axis.
struct SweepStar {
  float here, west, east, south, north, below, above;
};
/// Those of a field, or of a function of the cell; 0 along axes beyond `Dim`.
template <int Dim, class Cells>
KOKKOS_FORCEINLINE_FUNCTION SweepStar star_at(const Cells& x, int i, int j, int k) {
  SweepStar star{x(i, j, k), x(i - 1, j, k), x(i + 1, j, k), 0, 0, 0, 0};
  if constexpr (Dim > 1) {
    star.south = x(i, j - 1, k);
    star.north = x(i, j + 1, k);
  }
  if constexpr (Dim > 2) {
    star.below = x(i, j, k - 1);
    star.above = x(i, j, k + 1);
  }
  return star;
}
/// The rates of its faces.
struct SweepRates {
  float west, east, south, north, below, above;
};

/// 1 over a cell's diagonal in units of its volume, 0 where that is 0: from the sums of both rates
/// along x and y, along z, and the mass.
KOKKOS_FORCEINLINE_FUNCTION float inverse_of(float rates_xy, float rates_z, float mass) {
  const float diagonal = (rates_xy + rates_z) + mass;
  const float inverse = 1.0F / (diagonal > 0 ? diagonal : 1.0F);
  return diagonal > 0 ? inverse : 0.0F;
}

/// x + weight D⁻¹ (b − A x) = (1 − weight) x + weight D⁻¹ (b + Σ rate x_beyond); b in units of the
/// cell's volume. Axes beyond `Dim` are not read.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION float swept(float weight, float inverse, float b, const SweepStar& x,
                                        const SweepRates& rates) {
  float sum = multiply_add(rates.west, x.west, b);
  sum = multiply_add(rates.east, x.east, sum);
  if constexpr (Dim > 1) {
    sum = multiply_add(rates.south, x.south, sum);
    sum = multiply_add(rates.north, x.north, sum);
  }
  if constexpr (Dim > 2) {
    sum = multiply_add(rates.below, x.below, sum);
    sum = multiply_add(rates.above, x.above, sum);
  }
  return multiply_add(weight * inverse, sum, (1 - weight) * x.here);
}

}  // namespace halotherm::solver
