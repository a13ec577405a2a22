// SPDX-License-Identifier: MIT
// Reports stalled ranks; otherwise one hung rank stalls the job silently.
#pragma once

#include <thread>

namespace halotherm::comm {

/// A thread that monitors the progress of this rank (comm/system/activity.hpp). After
/// `stall_timeout()` seconds without progress it prints one line on standard error: the rank, its
/// host and process, its activity, its collective MPI call and, in an exchange or a file operation,
/// the ranks or files that it waits for. It prints another line when the rank continues. The cause
/// is at ranks that print nothing, or that wait for no other rank. The watchdog sends no message
/// and ends nothing. One per process, from the start of MPI to its end.
class Watchdog {
 public:
  /// Local. `rank` in MPI_COMM_WORLD.
  explicit Watchdog(int rank);

 private:
  std::jthread thread_;  ///< the destructor stops and joins it
};

}  // namespace halotherm::comm
