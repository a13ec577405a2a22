// SPDX-License-Identifier: MIT
// Sums of as many numbers as the largest grid has cells, made by doubling.
#include "solver/diagnostics/exact_carry.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

const SumScale scale(40);

/// Of one number, handed over alone as a thread with one cell does.
ExactSum sum_of(double number) {
  double chunks[SumScale::chunks] = {0, 0, 0};
  add_to_chunks(chunks, number, scale);
  ExactSum sum;
  sum.add_chunks(chunks, scale);
  return sum;
}

/// 2^doublings times the sum.
ExactSum doubled(ExactSum sum, int doublings) {
  for (int n = 0; n < doublings; ++n) sum += ExactSum(sum);
  return sum;
}

/// All bits of all chunks are set, and of either sign.
const double extremes[] = {std::ldexp(1.0, 40) - std::ldexp(1.0, -13), -std::ldexp(1.0, 40) * 0.75,
                           std::ldexp(1.0, 7) - std::ldexp(1.0, -45), -1.0 / 3};

TEST(ExactCarry, ChangesTheFormAndNotTheSum) {
  for (const double number : extremes) {
    const auto many = doubled(sum_of(number), 30);
    const auto form = carried(many);
    EXPECT_EQ(form.value(scale), many.value(scale));
    for (const auto low : form.low) {
      EXPECT_GE(low, 0);
      EXPECT_LT(low, std::int64_t{1} << ExactSum::low_bits);
    }
  }
}

/// 2^39 numbers on a rank, each handed over alone, and 2^11 ranks. Without the carry before sums of
/// ranks are added, the low parts overflow at 2^40.
TEST(ExactCarry, LargestGridsAreSummedExactly) {
  for (const double number : extremes) {
    const auto of_rank = doubled(sum_of(number), 39);
    const auto of_all = doubled(carried(of_rank), 11);
    EXPECT_EQ(of_all.value(scale), std::ldexp(number, 50)) << number;
  }
}

/// Six faces of each cell, as flows through void faces are summed.
TEST(ExactCarry, SixFacesOfEachCellAreSummedExactly) {
  for (const double number : extremes) {
    ExactSum of_six;
    for (int face = 0; face < 6; ++face) of_six += sum_of(number);
    const auto of_all = doubled(carried(doubled(of_six, 36)), 14);
    EXPECT_DOUBLE_EQ(of_all.value(scale), 6 * std::ldexp(number, 50)) << number;
  }
}

}  // namespace
}  // namespace halotherm::solver
