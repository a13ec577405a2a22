// SPDX-License-Identifier: MIT
// Lines of K that a thread evaluates without a look-up.
#pragma once

#include "solver/material/materials.hpp"

#include <bit>

namespace halotherm::solver {

/// Positive temperatures from one to another, by the upper halves of their bits, which are ordered
/// like the numbers: a test takes instructions on integers and none in double precision. In double
/// precision it lacks some temperatures nearer to its ends than one in 10^6, but holds a lower end
/// whose lower half is 0, such as 300 K.
template <class Real>
class BitRange {
 public:
  BitRange() = default;  ///< holds nothing
  KOKKOS_FORCEINLINE_FUNCTION BitRange(Real from, Real to) {
    const bool held = from > 0 && !has_lower_bits(from);
    lowest_ = upper_bits(from > 0 ? from : Real(0)) + (held ? 0 : 1);
    const std::uint32_t end = to > 0 ? upper_bits(to) : 0;
    count_ = end > lowest_ ? end - lowest_ : 0;
  }
  /// Two ranges, one of which begins where the other ends; nothing if one of them holds nothing.
  static KOKKOS_FORCEINLINE_FUNCTION BitRange joined(const BitRange& one, const BitRange& other) {
    BitRange both;
    both.lowest_ = Kokkos::min(one.lowest_, other.lowest_);
    const auto end = Kokkos::max(one.lowest_ + one.count_, other.lowest_ + other.count_);
    both.count_ = one.count_ > 0 && other.count_ > 0 ? end - both.lowest_ : 0;
    return both;
  }
  static KOKKOS_FORCEINLINE_FUNCTION BitRange one_of(bool first, const BitRange& one,
                                                     const BitRange& other) {
    BitRange result;
    result.lowest_ = first ? one.lowest_ : other.lowest_;
    result.count_ = first ? one.count_ : other.count_;
    return result;
  }

  /// How far the farthest of some temperatures lies above the lower end [in upper halves of bits]:
  /// one instruction for each. What lies below that end counts as farther than anything above it.
  template <class... Values>
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t farthest(const Values&... T) const {
    std::uint32_t farthest = 0;
    ((farthest = farther(T, farthest)), ...);
    return farthest;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool reaches(std::uint32_t farthest) const {
    return farthest < count_;
  }
  /// Whether the farthest lies below the lower end.
  static KOKKOS_FORCEINLINE_FUNCTION bool is_below(std::uint32_t farthest) {
    return farthest >> 31U != 0;
  }
  /// Whether it holds all of some temperatures.
  template <class... Values>
  KOKKOS_FORCEINLINE_FUNCTION bool holds(const Values&... T) const {
    return reaches(farthest(T...));
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
  /// Whether the upper half does not tell the whole number.
  static KOKKOS_FORCEINLINE_FUNCTION bool has_lower_bits(Real value) {
    if constexpr (sizeof(Real) == 4) return false;
#if defined(__CUDA_ARCH__)
    return __double2loint(value) != 0;
#else
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(double{value})) != 0;
#endif
  }
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

  std::uint32_t lowest_ = 0;  ///< the first upper half of bits
  std::uint32_t count_ = 0;
};

/// A line of an isotropic material's K that a thread keeps.
template <class Real>
struct KeptLine {
  BitRange<Real> range;  ///< of temperatures on the line
  int material = -1;
  int segment = 0;  ///< of the material's table
  Real from = 0, value = 0, slope = 0;

  KeptLine() = default;  ///< holds nothing
  KOKKOS_FORCEINLINE_FUNCTION KeptLine(const PropertyView<Real>& table, int of_segment,
                                       int of_material)
      : material(of_material), segment(of_segment) {
    const auto line = table.lines[segment];
    range = {line.from, line.to};
    from = line.from;
    value = line.value;
    slope = line.slope;
  }
  /// By their members, which stay in registers.
  static KOKKOS_FORCEINLINE_FUNCTION KeptLine one_of(bool first, const KeptLine& one,
                                                     const KeptLine& other) {
    KeptLine result;
    result.range = BitRange<Real>::one_of(first, one.range, other.range);
    result.material = first ? one.material : other.material;
    result.segment = first ? one.segment : other.segment;
    result.from = first ? one.from : other.from;
    result.value = first ? one.value : other.value;
    result.slope = first ? one.slope : other.slope;
    return result;
  }
  /// K at a temperature on it.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value operator()(const Value& T) const {
    return PropertyLine<Real>{from, 0, value, slope}(T);
  }
};

/// The kept line that holds T [K] in a material's table.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION KeptLine<Real> line_to_keep(const PropertyView<Real>& table, Real T,
                                                        int material) {
  return {table, table.segment_at(T), material};
}

/// A kept line and the one before or after it in the table. The choice between them takes no
/// branch; at a jump the upper one counts.
template <class Real>
struct LinePair {
  BitRange<Real> range;  ///< of temperatures on either
  KeptLine<Real> line, other;
  Real between;  ///< [K] where the upper one begins
  bool below;    ///< whether the other is the lower one

  /// Beyond an end of the table the other line is the kept one.
  KOKKOS_FORCEINLINE_FUNCTION LinePair(const KeptLine<Real>& kept, const PropertyView<Real>& table,
                                       bool is_below)
      : line(kept),
        other(table,
              Kokkos::max(0, Kokkos::min(kept.segment + (is_below ? -1 : 1), table.count - 1)),
              kept.material),
        between(is_below ? line.from : other.from),
        below(is_below) {
    range = BitRange<Real>::joined(line.range, other.range);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool is_on_other(Real T) const { return (T >= between) != below; }
  /// The one that holds T.
  KOKKOS_FORCEINLINE_FUNCTION KeptLine<Real> at(Real T) const {
    return KeptLine<Real>::one_of(is_on_other(T), other, line);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(Real T) const {
    Real K = line(T);
    if (is_on_other(T)) K = other(T);
    return K;
  }
  KOKKOS_FORCEINLINE_FUNCTION Pack<Real> operator()(const Pack<Real>& T) const {
    Pack<Real> K;
    HALOTHERM_UNROLL
    for (int n = 0; n < Pack<Real>::width; ++n) K.lanes[n] = (*this)(Real(T.lanes[n]));
    return K;
  }
};

}  // namespace halotherm::solver
