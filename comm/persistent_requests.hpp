// SPDX-License-Identifier: MIT
// MPI requests that are set up once and started in every step.
#pragma once

#include "comm/communicator.hpp"
#include "comm/transport.hpp"

#include <cstddef>
#include <vector>

namespace halotherm::comm {

/// A set of persistent sends or receives, each bound to its buffer, started and waited for together. The buffers must outlive it.
/// The destructor waits for what is under way, except while an exception unwinds: then the neighbours may never answer.
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

 private:
  std::vector<MPI_Request> requests_;
  bool under_way_ = false;
};

}  // namespace halotherm::comm
