// SPDX-License-Identifier: MIT
#include "comm/transport/persistent_requests.hpp"

#include <exception>

namespace halotherm::comm {

PersistentRequests::~PersistentRequests() {
  if (std::uncaught_exceptions() > 0) return;
  if (under_way_)
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (auto& request : requests_) MPI_Request_free(&request);
}

void PersistentRequests::add_send(const Communicator& communicator, const Channel& channel,
                                  const std::byte* buffer) {
  check(MPI_Send_init(buffer, channel.elements, mpi_type_of(channel), channel.neighbour,
                      channel.send_tag, communicator.handle(), added(channel)));
}

void PersistentRequests::add_receive(const Communicator& communicator, const Channel& channel,
                                     std::byte* buffer) {
  check(MPI_Recv_init(buffer, channel.elements, mpi_type_of(channel), channel.neighbour,
                      channel.receive_tag, communicator.handle(), added(channel)));
}

MPI_Request* PersistentRequests::added(const Channel& channel) {
  peers_.push_back(channel.neighbour);
  awaited_.emplace_back(false);
  completed_.push_back(0);
  return &requests_.emplace_back(MPI_REQUEST_NULL);
}

void PersistentRequests::start() {
  if (requests_.empty()) return;
  check(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()));
  under_way_ = true;
}

void PersistentRequests::wait() {
  if (!under_way_) return;
  for (auto& request : awaited_) request.store(true, std::memory_order_relaxed);
  for (std::size_t done = 0; done < requests_.size();) {
    int count = 0;
    check(MPI_Waitsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                       completed_.data(), MPI_STATUSES_IGNORE));
    for (int n = 0; n < count; ++n) {
      const auto request = static_cast<std::size_t>(completed_[static_cast<std::size_t>(n)]);
      awaited_[request].store(false, std::memory_order_relaxed);
    }
    done += static_cast<std::size_t>(count);
  }
  under_way_ = false;
}

std::vector<int> PersistentRequests::awaited() const {
  std::vector<int> ranks;
  for (std::size_t n = 0; n < peers_.size(); ++n) {
    if (awaited_[n].load(std::memory_order_relaxed) && (ranks.empty() || ranks.back() != peers_[n]))
      ranks.push_back(peers_[n]);
  }
  return ranks;
}

}  // namespace halotherm::comm
