// SPDX-License-Identifier: MIT
// Reports a rank that stands still: a rank that hangs takes all others along, and without a report
// nobody knows which one it is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace halotherm::comm {

/// While it lives, a thread looks whether this rank makes progress (comm/system/activity.hpp). If
/// there was none for `stall_timeout()` seconds, it prints one line on standard error: the rank,
/// its host and process, what it is doing, the call of MPI it is in, and where it exchanges ghost
/// cells or waits for a file, with whom and for what; and another line when it goes on. Ranks that
/// wait for nobody, or that print nothing at all, are the ones to look at. Ends nothing and sends
/// nothing. One a process, from MPI's begin to its end.
class Watchdog {
 public:
  /// Local. `rank` in MPI_COMM_WORLD.
  explicit Watchdog(int rank);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void watch();

  int rank_;
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace halotherm::comm
