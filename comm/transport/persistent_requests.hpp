// SPDX-License-Identifier: MIT
// MPI requests that are set up once and started in every step.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/transport/transport.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <vector>

namespace halotherm::comm {

/// A set of persistent sends or receives, each bound to its buffer, started and waited for
/// together. The buffers must outlive it. The destructor waits for what is under way, except while
/// an exception unwinds: then the neighbours may never answer.
class PersistentRequests {
 public:
  PersistentRequests() = default;
  ~PersistentRequests();
  PersistentRequests(const PersistentRequests&) = delete;
  PersistentRequests& operator=(const PersistentRequests&) = delete;

  void add_send(const Communicator& communicator, const Channel& channel, const std::byte* buffer);
  void add_receive(const Communicator& communicator, const Channel& channel, std::byte* buffer);

  void start();
  void wait();

  /// The ranks whose part `wait` is still waiting for; callable by any thread, once all requests
  /// were added.
  std::vector<int> awaited() const;

 private:
  void add(MPI_Request request, int peer);

  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;                 ///< of each request
  std::deque<std::atomic<bool>> awaited_;  ///< each request
  std::vector<int> completed_;             ///< room for MPI's answer
  bool under_way_ = false;
};

}  // namespace halotherm::comm
