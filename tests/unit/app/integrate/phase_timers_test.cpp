// SPDX-License-Identifier: MIT
#include "app/integrate/phase_timers.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace halotherm::app {
namespace {

struct Taken {
  std::vector<int> timed;
  int waits = 0;
};

Taken take(int steps, PhaseTimers timers) {
  Taken taken;
  for (int n = 0; n < steps; ++n) {
    timers.begin_step([&] { ++taken.waits; });
    if (timers.timed()) taken.timed.push_back(n);
  }
  return taken;
}

TEST(PhaseTimers, TimeStepsAtGapsThatGrowToTheLast) {
  const auto taken = take(400, PhaseTimers({16, 100}));
  EXPECT_EQ(taken.timed, (std::vector{1, 17, 49, 113, 213, 313}));
  EXPECT_EQ(taken.waits, 6);
}

TEST(PhaseTimers, StepsThatPassAreNotTimed) {
  PhaseTimers timers({16, 100});
  EXPECT_EQ(timers.untimed(), 1);
  for (int n = 0; n < 2; ++n) timers.begin_step([] {});
  EXPECT_EQ(timers.untimed(), 15);
  timers.pass(15);
  EXPECT_EQ(timers.untimed(), 0);
  timers.begin_step([] {});
  EXPECT_TRUE(timers.timed());
  EXPECT_EQ(timers.untimed(), 31);
}

TEST(PhaseTimers, TimeEveryStepWhereTheHostComputes) {
  const auto taken = take(3, PhaseTimers({1, 1}));
  EXPECT_EQ(taken.timed, (std::vector{0, 1, 2}));
  EXPECT_EQ(taken.waits, 0);
}

TEST(PhaseTimers, ATimedStepCountsEveryPhaseAndAnotherNone) {
  PhaseTimers timers({2, 2});
  for (int n = 0; n < 2; ++n) {
    timers.begin_step([] {});
    const comm::Stopwatch stopwatch;
    while (stopwatch.seconds() < 1e-3) {
    }
    timers.ends(n == 1 ? Phase::interior : Phase::shell);
  }
  EXPECT_GE(timers.seconds()[static_cast<std::size_t>(Phase::interior)], 1e-3);
  EXPECT_EQ(timers.seconds()[static_cast<std::size_t>(Phase::shell)], 0);
}

}  // namespace
}  // namespace halotherm::app
