// SPDX-License-Identifier: MIT
#include "comm/mpi/watchdog.hpp"

#include "comm/system/activity.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <sstream>

namespace halotherm::comm {

namespace {

void say(const std::string& text) {
  std::cerr << "halotherm: " + text + "\n" << std::flush;  // in one piece, as other ranks write too
}

std::string report(int rank, double seconds) {
  std::ostringstream text;
  text << process_of(rank) << " has stood still for " << seconds << " s: " << current_activity()
       << "; look at the ranks that say nothing or wait for nobody";
  return text.str();
}

}  // namespace

Watchdog::Watchdog(int rank) : rank_(rank), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  auto seen = progress_count();
  bool reported = false;
  Stopwatch still;
  const auto interval = [] {
    return std::chrono::duration<double>(std::min(1.0, stall_timeout() / 4));
  };
  while (!ending_.wait_for(lock, interval(), [this] { return ended_; })) {
    const auto count = progress_count();
    if (count != seen) {
      if (reported) say(process_of(rank_) + " goes on: " + current_activity());
      seen = count;
      reported = false;
      still = {};
    } else if (!reported && still.seconds() >= stall_timeout()) {
      reported = true;
      say(report(rank_, stall_timeout()));
    }
  }
}

}  // namespace halotherm::comm
