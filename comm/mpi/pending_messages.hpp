// SPDX-License-Identifier: MIT
// Messages and sums in progress, which their owner tests or completes later.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/pending_sum.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halotherm::comm {

/// Non-blocking messages on a communicator that has no other traffic meanwhile. The memory that is
/// passed in must stay valid and unused until `arrived` returns true or `wait` returns. All members
/// throw Error (internal) if MPI fails.
class PendingMessages {
 public:
  explicit PendingMessages(const Communicator& communicator) : communicator_(communicator) {}

  /// Begin a message of any size. Messages between two ranks keep their order.
  void receive(int rank, std::span<std::byte> bytes);
  void send(int rank, std::span<const std::byte> bytes);

  /// Collective, non-blocking. Begins to replace each element by its sum over the ranks, modulo
  /// 2^64 (comm/mpi/pending_sum.hpp). One at a time.
  void sum(std::span<std::uint64_t> values);

  /// Whether everything is complete. Non-blocking; calls to it let MPI progress.
  bool arrived();
  /// Blocks until everything is complete. All ranks must call it.
  void wait();

 private:
  const Communicator& communicator_;
  std::vector<MPI_Request> requests_;
  std::vector<PendingSum> sums_;  ///< at most one
};

}  // namespace halotherm::comm
