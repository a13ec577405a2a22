// SPDX-License-Identifier: MIT
#include "app/output/bounds_check.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halotherm::app {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

Diagnostics extremes(std::int64_t step, double lowest, double highest,
                     const solver::TemperatureBounds& allowed = {}) {
  Diagnostics result;
  result.step = step;
  result.time = 0.5 * static_cast<double>(step);
  result.lowest = lowest;
  result.highest = highest;
  result.allowed = allowed;
  return result;
}

BoundsCheck begun(int stages = 1, std::int64_t first_step = 0) {
  BoundsCheck check(epsilon, stages);
  check.begin(extremes(first_step, 300, 400));
  return check;
}

TEST(Bounds, TheInitialRangeIsAllowed) {
  auto check = begun();
  EXPECT_TRUE(check.check(extremes(1, 300, 400)).empty());
  EXPECT_TRUE(check.check(extremes(2, 310, 390)).empty());
  EXPECT_TRUE(check.found().empty());
}

TEST(Bounds, WhatIsOutsideIsFoundOnce) {
  auto check = begun();
  const auto news = check.check(extremes(4, 299, 400));
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news.front().text(io::TemperatureUnit::kelvin),
            "299 K at step 4, t = 2 s, 1 K below 300 K");
  EXPECT_TRUE(check.check(extremes(5, 298, 400)).empty());
  const auto above = check.check(extremes(6, 298, 402));
  ASSERT_EQ(above.size(), 1U);
  EXPECT_EQ(above.front().text(io::TemperatureUnit::kelvin),
            "402 K at step 6, t = 3 s, 2 K above 400 K");
  EXPECT_EQ(check.found().size(), 2U);
}

TEST(Bounds, WhatSidesAndSourcesAllowCounts) {
  auto check = begun();
  EXPECT_TRUE(check.check(extremes(1, 280, 1e6, {280, infinity})).empty());
  EXPECT_EQ(check.check(extremes(2, 279, 1e6, {280, infinity})).size(), 1U);
}

TEST(Bounds, RoundingGrowsWithStepsSinceTheStartAndWithStages) {
  const double excess = 16 * epsilon * 400 * 100;  // of 100 steps
  EXPECT_TRUE(begun().check(extremes(101, 300 - excess, 400)).empty());
  EXPECT_FALSE(begun().check(extremes(99, 300 - excess, 400)).empty());
  EXPECT_TRUE(begun(3).check(extremes(12, 300 - excess, 400)).empty());
  EXPECT_FALSE(begun(1, 1000).check(extremes(1099, 300 - excess, 400)).empty());
}

}  // namespace
}  // namespace halotherm::app
