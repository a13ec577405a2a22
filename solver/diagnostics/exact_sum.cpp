// SPDX-License-Identifier: MIT
#include "solver/diagnostics/exact_sum.hpp"

#include <cmath>

namespace halotherm::solver {

namespace {
constexpr int first_chunk = 33;  ///< bits, so that 2^19 chunks add up to less than 2^52 units
constexpr int next_chunks = 34;  ///< what the chunk before leaves is half its unit, of either sign
}  // namespace

SumScale::SumScale(int the_top) : top(the_top) {
  for (int c = 0; c < chunks; ++c) {
    const int exponent = top - first_chunk - c * next_chunks;
    unit[c] = std::ldexp(1.0, exponent);
    magic[c] = std::ldexp(1.5, 52 + exponent);
  }
}

double ExactSum::value(const SumScale& scale) const {
  __extension__ using Wide = __int128;
  // carries go up until every chunk but the first is what a number's would be: the same sum has the
  // same chunks
  Wide chunk[SumScale::chunks];
  for (int c = 0; c < SumScale::chunks; ++c)
    chunk[c] = (static_cast<Wide>(high[c]) << low_bits) + low[c];
  for (int c = SumScale::chunks - 1; c > 0; --c) {
    const Wide carry = chunk[c] >> next_chunks;
    chunk[c - 1] += carry;
    chunk[c] -= carry << next_chunks;
  }
  constexpr Wide fits = Wide{1} << 58;  // shifted by two chunks
  if (chunk[0] >= fits || chunk[0] <= -fits) return static_cast<double>(chunk[0]) * scale.unit[0];
  const Wide total = (((chunk[0] << next_chunks) + chunk[1]) << next_chunks) + chunk[2];
  return static_cast<double>(total) * scale.unit[SumScale::chunks - 1];
}

}  // namespace halotherm::solver
