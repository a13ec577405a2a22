// SPDX-License-Identifier: MIT
// Made-up runs: what their last lines grade, and what they do not.
#include "app/run/summary.hpp"
#include "app/run/run_record.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

constexpr double us = 1e-6;

/// 512^3 on two devices.
RunRecord large() {
  RunRecord r;
  r.split_points = {{{0, 512}, {0, 512}, {0, 256, 512}}};
  r.cells = 512LL * 512 * 512;
  r.bytes_per_cell = 16;
  r.held_bytes_per_cell = 16;
  r.steps = 1000;
  r.step_seconds = 1000 * 284 * us;
  r.halo_messages = 2;
  r.on_devices = true;
  r.cache_bytes = 50'000'000;
  r.transport = {{{ChannelClass::all, comm::TransportKind::p2p, {}}}, {}};
  r.calibration = {.measured = true,
                   .copy_bandwidth = 8.4e12,
                   .exchange = 30 * us,
                   .computation = 280 * us,
                   .launches = 6 * us};
  return r;
}

bool says(const RunRecord& r, const std::string& text) {
  return summary(r).find(text) != std::string::npos;
}

TEST(Summary, GradesLargeGrids) {
  EXPECT_TRUE(says(large(), "ceiling        90.0 % of the 8400 GB/s")) << summary(large());
  EXPECT_TRUE(says(large(), "30 us alone, 87 % of it hidden"));
  EXPECT_FALSE(says(large(), "not graded"));
  EXPECT_FALSE(says(large(), "ranks "));
}

TEST(Summary, DoesNotGradeWhatLaunchesMake) {
  auto r = large();
  r.cells = 128 * 128 * 128;
  r.step_seconds = 1000 * 14.3 * us;
  r.calibration.computation = 8 * us;
  r.calibration.exchange = 13 * us;
  EXPECT_TRUE(says(r, "not graded: too small: of 14.3 us a step 6 us are launches")) << summary(r);
  EXPECT_TRUE(says(r, "ranks          1 rank would be faster"));
}

TEST(Summary, DoesNotGradeWhatCachesHold) {
  auto r = large();
  r.on_devices = false;
  r.cells = 96 * 96 * 96;
  r.step_seconds = 1000 * 560 * us;
  r.calibration = {.measured = true,
                   .copy_bandwidth = 159e9,
                   .exchange = 20.6 * us,
                   .computation = 550 * us,
                   .launches = 5 * us};
  EXPECT_TRUE(says(r, "not graded: caches of 50 MB hold the 7.08 MB of a rank")) << summary(r);
  EXPECT_TRUE(says(r, "20.6 us alone, 3.7 % of a step"));
  EXPECT_FALSE(says(r, "hidden"));
  r.cache_bytes = 0;
  EXPECT_TRUE(says(r, "% of the 159 GB/s")) << "nothing is known of the caches";
}

TEST(Summary, SaysThatCoresWereShared) {
  auto r = large();
  EXPECT_FALSE(says(r, "processor"));
  r.processor = 0.32;
  EXPECT_TRUE(says(r, "processor      a rank got only 32 %"));
}

TEST(Summary, LabelsTransportsThroughTheHost) {
  auto r = large();
  EXPECT_FALSE(says(r, "through host memory"));
  r.transport.classes.front().kind = comm::TransportKind::staged;
  EXPECT_TRUE(says(r, "by transport staged, through host memory"));
  r.on_devices = false;
  EXPECT_FALSE(says(r, "through host memory")) << "there is no other";
}

}  // namespace
}  // namespace halotherm::app
