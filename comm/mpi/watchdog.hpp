// SPDX-License-Identifier: MIT
// Reports stalled ranks; otherwise one hung rank stalls the job silently.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <thread>

namespace halotherm::comm {

/// A thread that monitors the progress of this rank (comm/system/activity.hpp). A rank has stalled
/// after `stall_timeout()` seconds without progress. The watchdog sends no message and ends
/// nothing. One per process, from the start of MPI to its end.
///
/// At first each rank that stalls prints one line on standard error: the rank, its host and
/// process, its activity, its collective MPI call and the ranks or files that it waits for. From
/// `share_reports` on the first stalled rank of each node prints one line for all of them
/// (comm/mpi/stall_board.hpp). Nodes whose ranks only wait until all are as far print none, but for
/// that of rank 0. A rank that printed prints another line when it continues.
class Watchdog {
 public:
  /// Local. `rank` in MPI_COMM_WORLD.
  explicit Watchdog(int rank);

  /// Collective over the node. Does nothing where its ranks can share no memory.
  void share_reports(const Communicator& node);
  /// Local. This rank reports by itself again.
  void end_sharing();

 private:
  std::jthread thread_;  ///< the destructor stops and joins it
};

}  // namespace halotherm::comm
