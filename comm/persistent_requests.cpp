// SPDX-License-Identifier: MIT
#include "comm/persistent_requests.hpp"

#include <exception>

namespace halotherm::comm {

namespace {

/// Elements rather than bytes are counted, so that MPI's int holds large faces.
MPI_Datatype type_of(const Channel& channel) {
  return channel.element_bytes == 8 ? MPI_UINT64_T : MPI_UINT32_T;
}

}  // namespace

PersistentRequests::~PersistentRequests() {
  if (std::uncaught_exceptions() > 0) return;
  if (under_way_) MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (auto& request : requests_) MPI_Request_free(&request);
}

void PersistentRequests::add_send(const Communicator& communicator, const Channel& channel, const std::byte* buffer) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Send_init(buffer, channel.elements, type_of(channel), channel.neighbour, channel.send_tag, communicator.handle(),
                      &request));
  requests_.push_back(request);
}

void PersistentRequests::add_receive(const Communicator& communicator, const Channel& channel, std::byte* buffer) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Recv_init(buffer, channel.elements, type_of(channel), channel.neighbour, channel.receive_tag, communicator.handle(),
                      &request));
  requests_.push_back(request);
}

void PersistentRequests::start() {
  if (requests_.empty()) return;
  check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()));
  under_way_ = true;
}

void PersistentRequests::wait() {
  if (!under_way_) return;
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
  under_way_ = false;
}

}  // namespace halotherm::comm
