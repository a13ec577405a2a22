// SPDX-License-Identifier: MIT
// Sums of many numbers that do not depend on their order.
#pragma once

#include "solver/field/arithmetic.hpp"

#include <cstdint>

namespace halotherm::solver {

/// How numbers are split into three chunks of 34 bits, whose sums are exact (pre-rounding after
/// Demmel & Nguyen 2015, "Parallel Reproducible Summation"). The split is fixed beforehand and the
/// same everywhere, hence so is the sum. Numbers must be below 2^top in magnitude; bits below
/// 2^(top − 102) are rounded away.
struct SumScale {
  static constexpr int chunks = 3;
  int top = 0;
  double magic[chunks];  ///< adding and subtracting it rounds to the chunk's unit
  double unit[chunks];

  explicit SumScale(int top);

  /// Magnitudes from here on do not fit.
  KOKKOS_INLINE_FUNCTION double limit() const { return unit[0] * 0x1p33; }
};

/// The exact sum of a part of the numbers; parts are added up by `operator+=`, or element by
/// element.
struct ExactSum {
  static constexpr int low_bits = 24;
  std::int64_t high[SumScale::chunks]{};
  std::int64_t low[SumScale::chunks]{};

  KOKKOS_FORCEINLINE_FUNCTION ExactSum& operator+=(const ExactSum& other) {
    HALOTHERM_UNROLL
    for (int c = 0; c < SumScale::chunks; ++c) {
      high[c] += other.high[c];
      low[c] += other.low[c];
    }
    return *this;
  }

  /// Adds sums of chunks, each an integer multiple of its unit below 2^52 units.
  KOKKOS_FORCEINLINE_FUNCTION void add_chunks(const double (&sums)[SumScale::chunks],
                                              const SumScale& scale) {
    HALOTHERM_UNROLL
    for (int c = 0; c < SumScale::chunks; ++c) {
      const auto units = static_cast<std::int64_t>(sums[c] / scale.unit[c]);
      high[c] += units >> low_bits;
      low[c] += units & ((std::int64_t{1} << low_bits) - 1);
    }
  }

  /// The sum, rounded once to double.
  double value(const SumScale& scale) const;
};

/// Adds numbers to chunk sums, lane by lane if `Value` is a pack: exact for up to 2^19 numbers a
/// lane.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION void add_to_chunks(Value (&sums)[SumScale::chunks], Value number,
                                               const SumScale& scale) {
  HALOTHERM_UNROLL
  for (int c = 0; c < SumScale::chunks; ++c) {
    const Value magic = broadcast<Value>(scale.magic[c]);
    const Value chunk = (number + magic) - magic;
    sums[c] = sums[c] + chunk;
    number = number - chunk;
  }
}

}  // namespace halotherm::solver
