// SPDX-License-Identifier: MIT
// Persistent MPI requests, set up once and started in every step.
#pragma once

#include "comm/transport/channel.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <vector>

namespace halotherm::comm {

/// A set of persistent sends or receives, each bound to its buffer, which are started and completed
/// together. The buffers must outlive it. The destructor blocks until requests in progress are
/// complete, except while an exception unwinds, when neighbours may never answer. Members throw
/// Error (internal) if MPI fails.
class PersistentRequests {
 public:
  PersistentRequests() = default;
  ~PersistentRequests();
  PersistentRequests(const PersistentRequests&) = delete;
  PersistentRequests& operator=(const PersistentRequests&) = delete;

  void add_send(const Communicator& communicator, const Channel& channel, const std::byte* buffer);
  void add_receive(const Communicator& communicator, const Channel& channel, std::byte* buffer);

  /// Starts all requests. Non-blocking.
  void start();
  /// Blocks until all requests are complete.
  void wait();

  /// The ranks whose requests `wait` is waiting for. Any thread may call it after the last `add_…`.
  std::vector<int> awaited() const;

 private:
  MPI_Request* added(const Channel& channel);

  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;                 ///< of the requests
  std::deque<std::atomic<bool>> awaited_;  ///< of the requests
  std::vector<int> completed_;             ///< a buffer for MPI
  bool under_way_ = false;
};

}  // namespace halotherm::comm
