// SPDX-License-Identifier: MIT
#include "solver/equation/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace halotherm::solver {
namespace {

TEST(Clock, LandsOnTheEndExactly) {
  Clock clock(0.3, {1.0, std::nullopt});
  std::vector<double> steps;
  while (!clock.finished()) {
    steps.push_back(clock.dt());
    clock.advance();
  }
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0], 0.3);
  EXPECT_NEAR(steps[3], 0.1, 1e-15);
  EXPECT_EQ(clock.time(), 1.0);
  EXPECT_EQ(clock.progress(), 1.0);
}

TEST(Clock, RoundingAddsNoStep) {
  Clock clock(0.1, {1.0, std::nullopt});
  while (!clock.finished()) clock.advance();
  EXPECT_EQ(clock.step(), 10);
  EXPECT_EQ(clock.time(), 1.0);
}

/// The sum of 60,000 steps of 1e-4 is off by more than 1e-9 of a step.
TEST(Clock, RoundingOfManyStepsAddsNoStep) {
  Clock clock(1e-4, {6.0, std::nullopt});
  while (!clock.finished()) clock.advance();
  EXPECT_EQ(clock.step(), 60000);
  EXPECT_EQ(clock.time(), 6.0);
}

TEST(Clock, CountsSteps) {
  Clock clock(0.5, {std::nullopt, 3});
  while (!clock.finished()) clock.advance();
  EXPECT_EQ(clock.step(), 3);
  EXPECT_EQ(clock.time(), 1.5);
  EXPECT_EQ(clock.steps_to_go(), 0);
}

TEST(Clock, GoesOnFromACheckpoint) {
  Clock whole(0.1, {2.05, std::nullopt});
  for (int n = 0; n < 7; ++n) whole.advance();
  Clock resumed(0.1, {2.05, std::nullopt}, whole.step(), whole.time());
  while (!whole.finished()) {
    EXPECT_EQ(whole.dt(), resumed.dt());
    whole.advance();
    resumed.advance();
    EXPECT_EQ(whole.time(), resumed.time());
  }
  EXPECT_TRUE(resumed.finished());
}

/// The times after each step, of a clock that lands on multiples.
std::vector<double> times(double dt, End end, double every) {
  Clock clock(dt, end, 0, 0, every);
  std::vector<double> all;
  while (!clock.finished()) {
    const double before = clock.time(), length = clock.dt();
    const auto to_go = clock.steps_to_go();
    clock.advance();
    EXPECT_EQ(clock.steps_to_go(), to_go - 1) << clock.time();
    EXPECT_NEAR(clock.time() - before, length, 1e-15 * clock.time());
    EXPECT_LE(length, dt * (1 + 1e-9));
    EXPECT_GE(length, std::min({dt, every, *end.time}) / 10) << "a tiny step";
    all.push_back(clock.time());
  }
  return all;
}

TEST(Clock, LandsOnMultiplesExactlyByTwoEqualSteps) {
  const auto all = times(0.3, {2.5, std::nullopt}, 1.0);
  const std::vector<double> expected{0.3, 0.6, 0.8, 1.0, 1.3, 1.6, 1.8, 2.0, 2.3, 2.5};
  ASSERT_EQ(all.size(), expected.size());
  for (std::size_t n = 0; n < all.size(); ++n) EXPECT_NEAR(all[n], expected[n], 1e-14);
  EXPECT_EQ(all[3], 1.0);
  EXPECT_EQ(all[7], 2.0);
}

TEST(Clock, MultiplesDoNotAccumulateRounding) {
  const auto all = times(0.03, {100.0, std::nullopt}, 0.1);
  EXPECT_EQ(all.size(), 4000U);
  for (int n = 1; n <= 1000; ++n)
    EXPECT_EQ(all[static_cast<std::size_t>(4 * n - 1)], n == 1000 ? 100.0 : n * 0.1);
}

TEST(Clock, LandingNeedsNoMoreStepsWhereTheStepDividesIt) {
  EXPECT_EQ(times(0.1, {10.0, std::nullopt}, 1.0).size(), 100U);
  EXPECT_EQ(times(0.1, {1.0, std::nullopt}, 0.1).size(), 10U);
  EXPECT_EQ(times(0.1, {1.0, std::nullopt}, 0.1 + 1e-13).size(), 10U);
  EXPECT_EQ(times(0.1, {1.0, std::nullopt}, 5.0).size(), 10U) << "the end comes first";
}

TEST(Clock, LandsOnTheSameMultiplesAfterARestartAndWithALaterEnd) {
  Clock whole(0.03, {10.0, std::nullopt}, 0, 0, 0.5);
  while (!whole.finished()) {
    Clock resumed(0.03, {12.0, std::nullopt}, whole.step(), whole.time(), 0.5);
    EXPECT_EQ(resumed.landed(), whole.landed());
    whole.advance();
    resumed.advance();
    EXPECT_EQ(whole.time(), resumed.time());
  }
}

TEST(Clock, HasLandedOnMultiplesOnly) {
  Clock clock(0.3, {2.5, std::nullopt}, 0, 0, 1.0);
  std::vector<std::int64_t> landed;
  while (!clock.finished()) {
    EXPECT_FALSE(clock.step() == 0 && clock.landed());
    clock.advance();
    if (clock.landed()) landed.push_back(clock.step());
  }
  EXPECT_EQ(landed, (std::vector<std::int64_t>{4, 8}));
}

TEST(Clock, KnowsHowFarItIs) {
  Clock clock(0.25, {1.0, std::nullopt});
  EXPECT_EQ(clock.steps_to_go(), 4);
  clock.advance();
  EXPECT_DOUBLE_EQ(clock.progress(), 0.25);
  EXPECT_EQ(clock.steps_to_go(), 3);
}

/// The steps after which `schedule` is due.
std::vector<std::int64_t> due_steps(const Schedule& schedule, double dt, std::int64_t steps) {
  Clock clock(dt, {std::nullopt, steps});
  std::vector<std::int64_t> due;
  while (!clock.finished()) {
    clock.advance();
    if (schedule.due(clock)) due.push_back(clock.step());
  }
  return due;
}

TEST(Schedule, BySteps) {
  EXPECT_EQ(due_steps({std::nullopt, 3}, 0.1, 10), (std::vector<std::int64_t>{3, 6, 9}));
}

TEST(Schedule, ByTimeAtTheFirstStepThatReachesAMultiple) {
  EXPECT_EQ(due_steps({1.0, std::nullopt}, 0.3, 11), (std::vector<std::int64_t>{4, 7, 10}));
}

TEST(Schedule, ByTimeDespiteRounding) {
  EXPECT_EQ(due_steps({0.3, std::nullopt}, 0.1, 9), (std::vector<std::int64_t>{3, 6, 9}));
}

TEST(Schedule, NothingIsNeverDue) {
  EXPECT_TRUE(due_steps({}, 0.1, 10).empty());
}

}  // namespace
}  // namespace halotherm::solver
