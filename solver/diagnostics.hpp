// SPDX-License-Identifier: MIT
// What a run says of its field: sums and extremes that do not depend on how the grid is cut or on the order of additions.
#pragma once

#include "solver/field.hpp"
#include "solver/heat_equation.hpp"

#include <cstdint>

namespace halotherm::solver {

/// Extremes over a block; combine those of several by max and min.
struct Extremes {
  double lowest;          ///< [K]
  double highest;         ///< [K]
  double largest_change;  ///< max |T − T_previous| [K]
  double largest_heat;    ///< max |rho c T| where rho c varies, else 0 [J/m³]
  double not_finite;      ///< 1 if a temperature is NaN or infinite, else 0
};

/// A sum of many numbers as three integers, exact and so independent of the order (fixed-point binning after Demmel & Nguyen 2015,
/// "Parallel Reproducible Summation", with the exponent fixed beforehand by the largest magnitude). Bins are added up over blocks.
struct FixedPointSum {
  Kokkos::Array<std::int64_t, 3> bins{};
};

/// How numbers are cut into bins: known to all blocks before they sum.
class FixedPointScale {
 public:
  /// For `count` numbers of at most `largest` in magnitude.
  FixedPointScale(double largest, std::int64_t count);

  int bits() const { return bits_; }              ///< of each bin
  double to_first_bin() const { return scale_; }  ///< multiplies a number to units of the first bin

  /// The sum, rounded to 66 bits or more of the largest number before a single rounding to double.
  double value(const FixedPointSum& sum) const;

 private:
  int bits_;
  int exponent_;
  double scale_;
};

struct Sums {
  FixedPointSum temperature;  ///< sum of T [K]
  FixedPointSum heat;         ///< sum of rho c T where rho c varies, else 0 [J/m³]
};

/// Of the block; `previous` is the field one step before. Blocking.
template <class Real>
Extremes extremes(const Field<Real>& temperature, const Field<Real>& previous, const HeatEquation<Real>& equation);

/// Of the block, with scales that all blocks share. Blocking.
template <class Real>
Sums sums(const Field<Real>& temperature, const HeatEquation<Real>& equation, const FixedPointScale& temperature_scale,
          const FixedPointScale& heat_scale);

}  // namespace halotherm::solver
