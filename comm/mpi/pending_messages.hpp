// SPDX-License-Identifier: MIT
// Messages and sums that go on by themselves while their owner does something else.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace halotherm::comm {

/// What was begun on a communicator that nothing else uses meanwhile. The memory handed over
/// belongs to the messages until they have arrived.
class PendingMessages {
 public:
  explicit PendingMessages(const Communicator& communicator) : communicator_(communicator) {}

  /// Of any size; messages between two ranks keep their order.
  void receive(int rank, std::span<std::byte> bytes);
  void send(int rank, std::span<const std::byte> bytes);

  /// Collective, but without waiting: every element becomes its sum over the ranks, modulo 2^64.
  void sum(std::span<std::uint64_t> values);

  /// Whether everything has arrived; moves it on.
  bool arrived();
  /// Waits until everything has; to be called by all ranks alike.
  void wait();

 private:
  const Communicator& communicator_;
  std::vector<MPI_Request> requests_;
};

}  // namespace halotherm::comm
