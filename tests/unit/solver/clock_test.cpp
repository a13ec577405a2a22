// SPDX-License-Identifier: MIT
#include "solver/clock.hpp"

#include <gtest/gtest.h>

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
