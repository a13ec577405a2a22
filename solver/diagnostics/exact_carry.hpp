// SPDX-License-Identifier: MIT
// Carries within an exact sum, so that sums of any number of ranks and stages can be added up.
#pragma once

#include "solver/diagnostics/exact_sum.hpp"

namespace halotherm::solver {

/// The same sum with its low parts from 0 to 2^24 − 1.
///
/// The worst case of N numbers, in units of a chunk: each has at most 2^33, and where a thread has
/// one cell, as in thin boxes on GPUs and for flows through faces, `add_chunks` is called for each.
/// It adds at most 2^33 / 2^24 + 1 to |high| and 2^24 − 1 to low, which must stay below 2^63:
///
///     |high| ≤ N (2^9 + 1)     for N ≤ 2^53, whoever adds
///     low    ≤ N (2^24 − 1)    for N ≤ 2^39 without a carry
///
/// A carry after each kernel's sum limits the second N to what one kernel of one rank adds, of
/// which 2^39 would be 4 TB of temperatures; the first one is of the whole grid, six faces a cell:
/// 6 · 2^50 < 2^53, hence the largest grid (app/config/checks.cpp). Sums of R ranks have low parts
/// below R 2^24.
KOKKOS_INLINE_FUNCTION ExactSum carried(ExactSum sum) {
  for (int c = 0; c < SumScale::chunks; ++c) {
    sum.high[c] += sum.low[c] >> ExactSum::low_bits;
    sum.low[c] &= (std::int64_t{1} << ExactSum::low_bits) - 1;
  }
  return sum;
}

}  // namespace halotherm::solver
