// SPDX-License-Identifier: MIT
// Lines of K that a thread evaluates without a look-up.
#pragma once

#include "solver/material/materials.hpp"

#include <bit>

namespace halotherm::solver {

/// The line of an isotropic material's K near a temperature. It holds the temperatures of the
/// table's line but for those that are not positive and, in double precision, some nearer to its
/// ends than one in 10^6: positive numbers are ordered like the upper halves of their bits, so the
/// test takes instructions on integers and none in double precision. A lower end whose lower half
/// is 0, such as 300 K, is held.
template <class Real>
class KeptLine {
 public:
  int material = -1;

  KeptLine() = default;  ///< holds nothing
  KOKKOS_FORCEINLINE_FUNCTION KeptLine(const PropertyLine<Real>& line, int of_material)
      : material(of_material), from_(line.from), value_(line.value), slope_(line.slope) {
    const bool held = line.from > 0 && !has_lower_bits(line.from);
    lowest_ = upper_bits(line.from > 0 ? line.from : Real(0)) + (held ? 0 : 1);
    const std::uint32_t end = line.to > 0 ? upper_bits(line.to) : 0;
    count_ = end > lowest_ ? end - lowest_ : 0;
  }

  /// Whether it holds all of some temperatures: one instruction for each, and one in the end.
  template <class... Values>
  KOKKOS_FORCEINLINE_FUNCTION bool holds(const Values&... T) const {
    std::uint32_t farthest = 0;
    ((farthest = farther(T, farthest)), ...);
    return farthest < count_;
  }
  /// K at a temperature that it holds.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Value& T) const {
    return PropertyLine<Real>{from_, 0, value_, slope_}(T);
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t upper_bits(Real value) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Real) == 4) return __float_as_uint(value);
    return static_cast<std::uint32_t>(__double2hiint(value));
#else
    if constexpr (sizeof(Real) == 4) return std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(double{value}) >> 32);
#endif
  }
  /// The largest distance from the lower end [in upper halves of bits]; below it more than any.
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t farther(Real T, std::uint32_t farthest) const {
#if defined(__CUDA_ARCH__)
    return __viaddmax_u32(upper_bits(T), 0U - lowest_, farthest);
#else
    return Kokkos::max(upper_bits(T) - lowest_, farthest);
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t farther(const Pack<Real>& T,
                                                    std::uint32_t farthest) const {
    HALOTHERM_UNROLL
    for (int n = 0; n < Pack<Real>::width; ++n) farthest = farther(Real(T.lanes[n]), farthest);
    return farthest;
  }
  /// Whether the upper half does not tell the whole number.
  static KOKKOS_FORCEINLINE_FUNCTION bool has_lower_bits(Real value) {
    if constexpr (sizeof(Real) == 4) return false;
#if defined(__CUDA_ARCH__)
    return __double2loint(value) != 0;
#else
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(double{value})) != 0;
#endif
  }

  Real from_ = 0, value_ = 0, slope_ = 0;
  std::uint32_t lowest_ = 0;  ///< the first upper half of bits above the lower end's
  std::uint32_t count_ = 0;   ///< of those before the upper end's
};

/// Two lines of a table, one after the other; the choice between them takes no branch. At a jump
/// between them the upper one counts.
template <class Real>
struct LinePair {
  PropertyLine<Real> lower, upper;

  KOKKOS_FORCEINLINE_FUNCTION bool holds(Real T) const { return T >= lower.from && T < upper.to; }
  KOKKOS_FORCEINLINE_FUNCTION bool holds(const Pack<Real>& T) const {
    bool all = true;
    HALOTHERM_UNROLL
    for (int n = 0; n < Pack<Real>::width; ++n) all = all & holds(Real(T.lanes[n]));
    return all;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real T) const {
    const bool above = T >= upper.from;
    return PropertyLine<Real>{above ? upper.from : lower.from, 0, above ? upper.value : lower.value,
                              above ? upper.slope : lower.slope}(T);
  }
  KOKKOS_FORCEINLINE_FUNCTION Pack<Real> operator()(const Pack<Real>& T) const {
    Pack<Real> K;
    HALOTHERM_UNROLL
    for (int n = 0; n < Pack<Real>::width; ++n) K.lanes[n] = (*this)(Real(T.lanes[n]));
    return K;
  }
};

/// Whether lines hold all of some temperatures.
template <class Lines, class... Values>
KOKKOS_FORCEINLINE_FUNCTION bool hold(const Lines& lines, const Values&... T) {
  return (lines.holds(T) & ...);
}
template <class Real, class... Values>
KOKKOS_FORCEINLINE_FUNCTION bool hold(const KeptLine<Real>& line, const Values&... T) {
  return line.holds(T...);
}

/// Whether any of some temperatures is at least `limit`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION bool any_reaches(Real limit, const Pack<Real>& T) {
  bool any = false;
  HALOTHERM_UNROLL
  for (int n = 0; n < Pack<Real>::width; ++n) any = any | (T.lanes[n] >= limit);
  return any;
}

/// The line of a table at T with the one above it, or below.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION LinePair<Real> line_pair(const PropertyView<Real>& table, Real T,
                                                     bool above) {
  const int n = table.segment_at(T);
  const int lower = above ? n : Kokkos::max(n - 1, 0);
  return {table.lines[lower], table.lines[Kokkos::min(lower + 1, table.count - 1)]};
}

}  // namespace halotherm::solver
