// SPDX-License-Identifier: MIT
#include "comm/mpi/watchdog.hpp"

#include "comm/system/activity.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <sstream>

namespace halotherm::comm {

namespace {

void print(const std::string& text) {
  std::cerr << "halotherm: " + text + "\n" << std::flush;  // one write, not mixed with other ranks'
}

std::string report(int rank, double seconds) {
  std::ostringstream text;
  text << process_of(rank) << " has stalled for " << seconds << " s: " << current_activity()
       << "; look at the ranks that print nothing or wait for no other rank";
  return text.str();
}

void watch(const std::stop_token& stop, int rank) {
  std::mutex mutex;
  std::unique_lock lock(mutex);
  std::condition_variable_any stopping;
  const auto stopped_within = [&](double seconds) {
    const std::chrono::duration<double> time(seconds);
    return stopping.wait_for(lock, stop, time, [&] { return stop.stop_requested(); });
  };
  auto seen = progress_count();
  bool reported = false;
  Stopwatch since_progress;
  while (!stopped_within(std::min(1.0, stall_timeout() / 4))) {
    const auto count = progress_count();
    if (count != seen) {
      if (reported) print(process_of(rank) + " continues: " + current_activity());
      seen = count;
      reported = false;
      since_progress = {};
    } else if (!reported && since_progress.seconds() >= stall_timeout()) {
      reported = true;
      print(report(rank, stall_timeout()));
    }
  }
}

}  // namespace

Watchdog::Watchdog(int rank) : thread_(watch, rank) {}

}  // namespace halotherm::comm
