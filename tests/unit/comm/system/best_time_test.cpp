// SPDX-License-Identifier: MIT
#include "comm/system/best_time.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halotherm::comm {
namespace {

/// Ranks whose slowest takes given times, with a record of the order of calls.
struct MadeUpRanks {
  std::vector<double> slowest;
  mutable std::size_t timings = 0;
  mutable std::string events = {};

  void barrier() const { events += 'b'; }
  double max(double) const {
    events += 'm';
    return slowest.at(timings++);
  }
};

TEST(BestTime, IsTheLeastOfTheTimingsThatCount) {
  const MadeUpRanks ranks{{1, 2, 8, 6, 7}};
  EXPECT_DOUBLE_EQ(best_time(ranks, {.timings = 3, .calls = 1, .warm_ups = 2}, [] {}), 6)
      << "the warm-ups were faster";
  EXPECT_EQ(ranks.timings, 5u);
}

TEST(BestTime, IsTheTimeOfOneCall) {
  const MadeUpRanks ranks{{9, 12, 8}};
  EXPECT_DOUBLE_EQ(best_time(ranks, {.timings = 2, .calls = 4}, [] {}), 2);
}

TEST(BestTime, AllBeginTogetherAndWhatWasLaunchedIsAwaitedOnce) {
  const MadeUpRanks ranks{{1, 1}};
  best_time(
      ranks, {.timings = 1, .calls = 3}, [&] { ranks.events += 'w'; },
      [&] { ranks.events += 's'; });
  EXPECT_EQ(ranks.events, "bwwwsmbwwwsm");
}

TEST(BestTime, ARankAloneTimesItsOwn) {
  const double seconds = best_time(Alone(), {.timings = 1, .calls = 1, .warm_ups = 0}, [] {
    const Stopwatch stopwatch;
    while (stopwatch.seconds() < 1e-3) {
    }
  });
  EXPECT_GE(seconds, 1e-3);
  EXPECT_LT(seconds, no_time_yet);
}

TEST(BestTime, WithinATimeThereIsOneTimingAtLeast) {
  std::int64_t calls = 0;
  int settled = 0;
  EXPECT_LT(best_time_within(
                0, [&] { ++calls; }, [&] { ++settled; }),
            no_time_yet);
  EXPECT_EQ(calls, 2) << "the first does not count";
  EXPECT_EQ(settled, 2);
}

TEST(BestTime, QuickWorkIsCalledManyTimesATiming) {
  std::int64_t calls = 0;
  int settled = 0;
  best_time_within(
      0.01, [&] { ++calls; }, [&] { ++settled; });
  EXPECT_GE(calls, 2 * settled);
}

}  // namespace
}  // namespace halotherm::comm
