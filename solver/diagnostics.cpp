// SPDX-License-Identifier: MIT
#include "solver/diagnostics.hpp"

#include "solver/reduce_cells.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace halotherm::solver {

FixedPointScale::FixedPointScale(double largest, std::int64_t count) {
  // a bin holds numbers below 2^bits, `count` of which must not overflow 63 bits
  const int count_bits = std::bit_width(static_cast<std::uint64_t>(count));
  bits_ = std::min(30, 62 - count_bits);
  exponent_ = 0;
  if (largest > 0 && std::isfinite(largest)) std::frexp(largest, &exponent_);
  exponent_ = std::max(exponent_, -900);  // smaller numbers do not matter, and the scale must not overflow
  scale_ = std::ldexp(1.0, bits_ - exponent_);
}

double FixedPointScale::value(const FixedPointSum& sum) const {
  __extension__ using Wide = __int128;
  const Wide total = ((static_cast<Wide>(sum.bins[0]) << (2 * bits_)) + (static_cast<Wide>(sum.bins[1]) << bits_)) + sum.bins[2];
  return std::ldexp(static_cast<double>(total), exponent_ - 3 * bits_);
}

namespace {

template <class Real>
struct FindExtremes {
  comm::GridView<const Real> T;
  comm::GridView<const Real> previous;
  CellValue<Real> inverse_capacity;
  using value_type = Extremes;

  KOKKOS_INLINE_FUNCTION void init(Extremes& e) const {
    constexpr double infinity = Kokkos::Experimental::infinity_v<double>;
    e = {infinity, -infinity, 0, 0, 0};
  }
  KOKKOS_INLINE_FUNCTION void join(Extremes& e, const Extremes& other) const {
    e.lowest = Kokkos::min(e.lowest, other.lowest);
    e.highest = Kokkos::max(e.highest, other.highest);
    e.largest_change = Kokkos::max(e.largest_change, other.largest_change);
    e.largest_heat = Kokkos::max(e.largest_heat, other.largest_heat);
    e.not_finite = Kokkos::max(e.not_finite, other.not_finite);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, Extremes& e) const {
    const auto t = static_cast<double>(T(i, j, k));
    if (!Kokkos::isfinite(t)) {
      e.not_finite = 1;
      return;
    }
    const double change = Kokkos::abs(t - static_cast<double>(previous(i, j, k)));
    const double heat = inverse_capacity.varies ? Kokkos::abs(t / static_cast<double>(inverse_capacity(i, j, k))) : 0.0;
    join(e, {t, t, change, heat, 0});
  }
};

KOKKOS_INLINE_FUNCTION void add(FixedPointSum& sum, double number, double to_first_bin, double bin_size) {
  double rest = number * to_first_bin;  // exact: both factors that follow are powers of two
  for (int b = 0; b < 3; ++b) {
    const auto whole = static_cast<std::int64_t>(rest);
    sum.bins[b] += whole;
    rest = (rest - static_cast<double>(whole)) * bin_size;
  }
}

template <class Real>
struct AddUp {
  comm::GridView<const Real> T;
  CellValue<Real> inverse_capacity;
  double temperature_scale, temperature_bin;
  double heat_scale, heat_bin;
  using value_type = Sums;

  KOKKOS_INLINE_FUNCTION void init(Sums& s) const {
    for (int b = 0; b < 3; ++b) s.temperature.bins[b] = s.heat.bins[b] = 0;
  }
  KOKKOS_INLINE_FUNCTION void join(Sums& s, const Sums& other) const {
    for (int b = 0; b < 3; ++b) {
      s.temperature.bins[b] += other.temperature.bins[b];
      s.heat.bins[b] += other.heat.bins[b];
    }
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, Sums& s) const {
    const auto t = static_cast<double>(T(i, j, k));
    add(s.temperature, t, temperature_scale, temperature_bin);
    if (inverse_capacity.varies) add(s.heat, t / static_cast<double>(inverse_capacity(i, j, k)), heat_scale, heat_bin);
  }
};

}  // namespace

template <class Real>
Extremes extremes(const Field<Real>& temperature, const Field<Real>& previous, const HeatEquation<Real>& equation) {
  return reduce_cells("extremes", temperature.owned(),
                      FindExtremes<Real>{temperature.view(), previous.view(), equation.inverse_capacity()});
}

template <class Real>
Sums sums(const Field<Real>& temperature, const HeatEquation<Real>& equation, const FixedPointScale& temperature_scale,
          const FixedPointScale& heat_scale) {
  return reduce_cells(
      "sums", temperature.owned(),
      AddUp<Real>{temperature.view(), equation.inverse_capacity(), temperature_scale.to_first_bin(),
                  std::ldexp(1.0, temperature_scale.bits()), heat_scale.to_first_bin(), std::ldexp(1.0, heat_scale.bits())});
}

#define HALOTHERM_INSTANTIATE(Real)                                                              \
  template Extremes extremes(const Field<Real>&, const Field<Real>&, const HeatEquation<Real>&); \
  template Sums sums(const Field<Real>&, const HeatEquation<Real>&, const FixedPointScale&, const FixedPointScale&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
