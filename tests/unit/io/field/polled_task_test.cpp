// SPDX-License-Identifier: MIT
#include "io/field/polled_task.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace halotherm::io {
namespace {

PolledTask two_waits(const bool& first, const bool& second, std::string& story) {
  story += "a";
  co_await until([&first] { return first; });
  story += "b";
  co_await until([&second] { return second; });
  story += "c";
}

TEST(PolledTask, goes_on_only_when_asked_and_ready) {
  bool first = false, second = false;
  std::string story;
  auto task = two_waits(first, second, story);
  EXPECT_EQ(story, "");
  EXPECT_FALSE(task.poll());
  EXPECT_EQ(story, "a");
  first = true;
  EXPECT_EQ(story, "a");
  EXPECT_FALSE(task.poll());
  EXPECT_EQ(story, "ab");
  second = true;
  EXPECT_TRUE(task.poll());
  EXPECT_EQ(story, "abc");
  EXPECT_TRUE(task.poll());
  EXPECT_EQ(story, "abc");
}

TEST(PolledTask, does_not_pause_for_what_is_there) {
  const bool yes = true;
  std::string story;
  auto task = two_waits(yes, yes, story);
  EXPECT_TRUE(task.poll());
  EXPECT_EQ(story, "abc");
}

PolledTask failing() {
  co_await until([] { return true; });
  throw std::runtime_error("no");
}

TEST(PolledTask, hands_failures_to_who_polls) {
  auto task = failing();
  EXPECT_THROW(task.poll(), std::runtime_error);
  EXPECT_TRUE(task.done());
}

PolledTask holding(std::shared_ptr<int> held) {
  co_await until([] { return false; });
  EXPECT_EQ(*held, 1);
}

TEST(PolledTask, a_dropped_task_lets_go) {
  const auto held = std::make_shared<int>(1);
  {
    auto task = holding(held);
    task.poll();
    EXPECT_GT(held.use_count(), 1);
    auto moved = std::move(task);
    EXPECT_FALSE(moved.done());
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_TRUE(PolledTask().done());
}

}  // namespace
}  // namespace halotherm::io
