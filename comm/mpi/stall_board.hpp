// SPDX-License-Identifier: MIT
// What the ranks of a node say of their progress, in memory that they share, and the report on it.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/node_memory.hpp"
#include "comm/system/activity.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::comm {

/// A rank of a node.
struct RankState {
  int rank = 0;  ///< in MPI_COMM_WORLD
  bool runs = true;
  bool stalled = false;
  bool reported = false;  ///< as stalled
  Waiting waiting;        ///< of one that has stalled
};

/// One line on the ranks of a node that have stalled for so long, and on those that do not run. It
/// names the few that others wait for: those that do not run, that wait for no other rank, or that
/// are on other nodes; and it counts the rest. Empty if all that stalled wait until every rank is
/// as far, unless `always`. Pure.
std::string stall_report(const std::vector<RankState>& ranks, double seconds, bool always);

/// A slot for each rank of the node. Its members but the constructor are local, and any thread may
/// call them: they are loads and stores in shared memory, and no message is sent.
class StallBoard {
 public:
  /// Collective over `node`. `rank` in MPI_COMM_WORLD. Throws Error (internal) on all ranks of the
  /// node if they can share no memory.
  StallBoard(const Communicator& node, int rank);
  /// Local: the others no longer expect this rank to beat.
  ~StallBoard();
  StallBoard(const StallBoard&) = delete;
  StallBoard& operator=(const StallBoard&) = delete;

  /// This rank runs.
  void beat();
  void set_progressing();
  void set_stalled(const Waiting& waiting);
  /// Marks all that are stalled.
  void set_reported();

  /// All ranks of the node, in their order. One runs if it has beaten within `patience` [s].
  std::vector<RankState> read(double patience);
  /// This rank's place in that order.
  std::size_t place() const { return static_cast<std::size_t>(place_); }

 private:
  struct Slot;
  struct Pulse {
    std::uint64_t beats = 0;
    double seen = 0;  ///< when they changed [s]
  };

  NodeMemory memory_;
  int place_ = 0;
  std::vector<Slot*> slots_;
  std::vector<Pulse> pulses_;
};

}  // namespace halotherm::comm
