// SPDX-License-Identifier: MIT
#include "comm/watchdog.hpp"

#include "comm/environment.hpp"
#include "comm/timers.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <sstream>

namespace halotherm::comm {

namespace {

void say(const std::string& text) {
  std::cerr << "halotherm: " + text + "\n" << std::flush;  // in one piece, as other ranks write too
}

}  // namespace

Watchdog::Watchdog(const Communicator& communicator, double seconds, std::function<std::vector<int>()> awaited)
    : rank_(communicator.rank()),
      seconds_(seconds),
      awaited_(std::move(awaited)),
      processes_(communicator.gather("rank " + std::to_string(communicator.rank()) + " (" + host_name() + ", process " +
                                     std::to_string(getpid()) + ")")),
      thread_([this] { watch(); }) {}

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
  std::int64_t seen = step_;
  bool reported = false;
  Stopwatch still;
  const std::chrono::duration<double> interval(seconds_ / 4);
  while (!ending_.wait_for(lock, interval, [this] { return ended_; })) {
    const auto step = step_.load(std::memory_order_relaxed);
    if (step != seen) {
      if (reported) say(processes_[static_cast<std::size_t>(rank_)] + " goes on with step " + std::to_string(step + 1));
      seen = step;
      reported = false;
      still = {};
    } else if (!reported && still.seconds() >= seconds_) {
      reported = true;
      say(report(step));
    }
  }
}

std::string Watchdog::report(std::int64_t step) const {
  std::ostringstream text;
  text << processes_[static_cast<std::size_t>(rank_)] << " has stood still for " << seconds_ << " s after step " << step;
  const auto awaited = awaited_();
  if (awaited.empty()) {
    text << ", in work of its own or in a call that all ranks make (it exchanges no ghost cells)";
  } else {
    text << ", exchanging ghost cells with ";
    for (std::size_t n = 0; n < awaited.size(); ++n) {
      text << (n > 0 ? " and " : "") << processes_[static_cast<std::size_t>(awaited[n])];
    }
  }
  text << "; look at the ranks that say nothing or wait for nobody";
  return text.str();
}

}  // namespace halotherm::comm
