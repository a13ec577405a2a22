// SPDX-License-Identifier: MIT
// Tells who stands still: a rank that hangs takes all others along, and none of them would say a word.
#pragma once

#include "comm/communicator.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace halotherm::comm {

/// While it lives, a thread looks whether this rank's steps go on. If they have not for `seconds`, it says so on standard error,
/// once, with the rank, its host and process, and the ranks that it waits for in the exchange of ghost cells, by their hosts; and
/// again when the steps go on. Ranks that wait for nobody, or that say nothing at all, are the ones to look at. Ends nothing and
/// sends nothing.
class Watchdog {
 public:
  /// Collective. `awaited`: the ranks that this one waits for at the moment; called by the thread.
  Watchdog(const Communicator& communicator, double seconds, std::function<std::vector<int>()> awaited);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Before every step; `step` steps are done.
  void beat(std::int64_t step) { step_.store(step, std::memory_order_relaxed); }

 private:
  void watch();
  std::string report(std::int64_t step) const;

  int rank_;
  double seconds_;
  std::function<std::vector<int>()> awaited_;
  std::vector<std::string> processes_;  ///< "rank 3 (node2, process 4711)", of every rank
  std::atomic<std::int64_t> step_{-1};
  std::mutex mutex_;
  std::condition_variable ending_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace halotherm::comm
