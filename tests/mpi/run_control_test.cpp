// SPDX-License-Identifier: MIT
// What one rank is told, all ranks do, at the same step; and most steps are none of their business.
#include "app/control/run_control.hpp"
#include "app/control/signals.hpp"

#include "tests/support/io_support.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace halotherm::app {
namespace {

/// Steps of a millisecond until an order comes; the step of it, or -1 after 3000.
std::int64_t step_of_order(RunControl& control, bool RunRequests::*order, double reserve = 0,
                           const std::function<void(int)>& before = {}) {
  control.begin(0);
  for (int step = 1; step <= 3000; ++step) {
    if (before) before(step);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (control.after_step(step, Writing::nothing, reserve).*order) return step;
  }
  return -1;
}

/// The same on all ranks, and there was one.
void expect_agreed(const comm::Communicator& world, std::int64_t step) {
  EXPECT_GT(step, 0);
  EXPECT_EQ(world.max(static_cast<double>(step)), world.min(static_cast<double>(step)));
}

struct RunControls : testing::Test {
  comm::Communicator world{MPI_COMM_WORLD};
  test::TemporaryFolder folder{world};
  RunControls() { SignalRequests::listen(); }
  bool last_rank() const { return world.rank() == world.size() - 1; }
};

TEST_F(RunControls, a_signal_to_one_rank_stops_all) {
  RunControl control(world, folder.path(), {}, {});
  const auto step = step_of_order(control, &RunRequests::stop, 0, [&](int now) {
    if (now == 50 && last_rank()) std::raise(SIGUSR2);
  });
  expect_agreed(world, step);
  EXPECT_GE(step, 50);
  EXPECT_EQ(control.reason(), "SIGUSR2");
}

TEST_F(RunControls, a_signal_asks_for_one_checkpoint) {
  RunControl control(world, folder.path(), {}, {});
  const auto raise_once = [&](int now) {
    if (now == 20 && last_rank()) std::raise(SIGUSR1);
  };
  expect_agreed(world, step_of_order(control, &RunRequests::checkpoint, 0, raise_once));
  for (int step = 3001; step < 3400; ++step) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto orders = control.after_step(step, Writing::nothing, 0);
    EXPECT_FALSE(orders.checkpoint || orders.stop);
  }
}

TEST_F(RunControls, files_ask_once_and_are_removed) {
  test::by_root(world, [&] { test::write_bytes(folder.path() / "stop", "from an earlier run"); });
  RunControl control(world, folder.path(), {}, {});
  world.barrier();
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "stop"));
  test::by_root(world, [&] { test::write_bytes(folder.path() / "stop", ""); });
  expect_agreed(world, step_of_order(control, &RunRequests::stop));
  EXPECT_EQ(control.reason(), "the file 'stop'");
  EXPECT_TRUE(test::names_in(folder.path(), world).empty());
}

TEST_F(RunControls, a_file_asks_for_a_checkpoint) {
  RunControl control(world, folder.path(), {}, {});
  test::by_root(world, [&] { test::write_bytes(folder.path() / "checkpoint", ""); });
  expect_agreed(world, step_of_order(control, &RunRequests::checkpoint));
  EXPECT_TRUE(test::names_in(folder.path(), world).empty());
}

TEST_F(RunControls, stops_before_the_limit_with_time_for_a_checkpoint) {
  RunControl control(world, folder.path(), {}, {.after = 3.0, .at = {}});
  const comm::Stopwatch stopwatch;
  expect_agreed(world, step_of_order(control, &RunRequests::stop, 1.0));
  EXPECT_GT(stopwatch.seconds(), 1.0);
  EXPECT_LT(stopwatch.seconds(), 2.0);
  EXPECT_EQ(control.reason(), "the job's time is nearly up");
}

TEST_F(RunControls, an_interval_of_real_time_brings_checkpoints) {
  RunControl control(world, folder.path(), 0.5, {});
  const comm::Stopwatch stopwatch;
  expect_agreed(world, step_of_order(control, &RunRequests::checkpoint));
  EXPECT_GE(stopwatch.seconds(), 0.5);
}

/// As a device's host launches them while the device is still at the first one.
TEST_F(RunControls, steps_that_seem_to_take_no_time_do_not_put_off_a_stop) {
  RunControl control(world, folder.path(), {}, {});
  control.begin(0);
  std::int64_t step = 1;
  for (; step <= 64; ++step) control.after_step(step, Writing::nothing, 0);
  if (last_rank()) std::raise(SIGUSR2);
  bool stopped = false;
  for (; step <= 1000 && !stopped; ++step) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stopped = control.after_step(step, Writing::nothing, 0).stop;
  }
  EXPECT_TRUE(stopped);
  EXPECT_LE(step, 300);
}

TEST_F(RunControls, most_steps_are_left_alone) {
  RunControl control(world, folder.path(), {}, {});
  control.begin(0);
  int met = 0;
  for (int step = 1; step <= 1000; ++step) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    met += control.after_step(step, Writing::under_way, 0).met ? 1 : 0;
  }
  EXPECT_GT(met, 2);
  EXPECT_LT(met, 100);
}

}  // namespace
}  // namespace halotherm::app
