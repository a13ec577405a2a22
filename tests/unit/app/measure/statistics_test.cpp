// SPDX-License-Identifier: MIT
#include "app/measure/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include <cmath>
#include <numeric>
#include <random>

namespace halotherm::app {
namespace {

std::vector<double> numbers_to(int count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.rbegin(), numbers.rend(), 1.0);
  return numbers;
}

TEST(Statistics, MediansOfOddAndEvenNumbers) {
  EXPECT_EQ(estimate({3, 1, 2}).median, 2);
  EXPECT_EQ(estimate({4, 1, 2, 3}).median, 2.5);
  EXPECT_EQ(estimate({7}).median, 7);
}

TEST(Statistics, FewSamplesGiveTheirRangeAndSayHowSureThatIs) {
  EXPECT_EQ(estimate({7}).confidence, 0);
  for (const int count : {2, 3, 4, 5, 6, 8}) {
    const auto e = estimate(numbers_to(count));
    EXPECT_EQ(e.low, 1) << count;
    EXPECT_EQ(e.high, count);
    EXPECT_DOUBLE_EQ(e.confidence, 1 - 2 * std::pow(0.5, count));
  }
  EXPECT_LT(estimate(numbers_to(5)).confidence, 0.95);
  EXPECT_GT(estimate(numbers_to(6)).confidence, 0.95);
}

/// Le Boudec 2010, table A.1: ranks of the interval of the median at 95 %.
TEST(Statistics, EndsAreThoseOfTheTable) {
  const int table[][3] = {{9, 2, 8},   {10, 2, 9},   {12, 3, 10}, {20, 6, 15},
                          {25, 8, 18}, {30, 10, 21}, {50, 18, 33}};
  for (const auto& [count, low, high] : table) {
    const auto e = estimate(numbers_to(count));
    EXPECT_EQ(e.low, low) << count;
    EXPECT_EQ(e.high, high) << count;
    EXPECT_GE(e.confidence, 0.95) << count;
  }
}

TEST(Statistics, TheIntervalHoldsTheMedianAsOftenAsItSays) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> skewed(std::log(2.0));  // its median is 1
  constexpr int trials = 4000;
  int held = 0;
  double said = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(11);
    for (auto& sample : samples) sample = skewed(random);
    const auto e = estimate(samples);
    held += e.low <= 1 && 1 <= e.high ? 1 : 0;
    said = e.confidence;
  }
  EXPECT_NEAR(static_cast<double>(held) / trials, said, 0.015);
}

TEST(Statistics, OutliersAreCountedAndKept) {
  const auto e = estimate({1, 1.01, 0.99, 1.02, 0.98, 9});
  EXPECT_EQ(e.outliers, 1);
  EXPECT_EQ(e.high, 9);
  EXPECT_EQ(estimate({1, 1.01, 0.99, 1.02, 0.98, 1.03}).outliers, 0);
  EXPECT_EQ(estimate({2, 2, 2, 2}).outliers, 0);
}

TEST(Statistics, RatiosTakeTheFarEnds) {
  const auto r = ratio({10, 8, 12, 0.97, 1}, {5, 4, 6, 0.96, 2});
  EXPECT_DOUBLE_EQ(r.median, 2);
  EXPECT_DOUBLE_EQ(r.low, 8.0 / 6);
  EXPECT_DOUBLE_EQ(r.high, 12.0 / 4);
  EXPECT_NEAR(r.confidence, 0.93, 1e-12);
  EXPECT_EQ(r.outliers, 3);
  const auto half = scaled(r, 0.5);
  EXPECT_DOUBLE_EQ(half.median, 1);
  EXPECT_DOUBLE_EQ(half.high, 1.5);
  EXPECT_EQ(half.confidence, r.confidence);
}

/// Gives these one after the other, the last for ever.
auto windows_of(std::vector<double> steps) {
  return [steps, n = std::size_t{0}]() mutable { return steps[std::min(n++, steps.size() - 1)]; };
}

TEST(Steady, BeginsWhereFourWindowsAgree) {
  const auto s = settle(windows_of({1.00, 1.05, 1.10, 1.12, 1.121, 1.119, 1.12}));
  EXPECT_TRUE(s.settled);
  EXPECT_EQ(s.windows, 7);
  EXPECT_NEAR(s.step, 1.12, 1e-3);
  EXPECT_EQ(settle(windows_of({1})).windows, 4);
}

TEST(Steady, ASlowDriftIsNotSteady) {
  std::vector<double> drift;
  for (int n = 0; n < 20; ++n) drift.push_back(1 + 0.001 * n);
  EXPECT_GE(settle(windows_of(drift)).windows, 21);
}

TEST(Steady, EndsWhereNothingSettles) {
  double step = 1;
  const auto s = settle([&] { return step = -step + 3; });
  EXPECT_FALSE(s.settled);
  EXPECT_EQ(s.windows, 30);
  EXPECT_DOUBLE_EQ(s.step, 1.5);
}

}  // namespace
}  // namespace halotherm::app
