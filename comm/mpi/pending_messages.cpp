// SPDX-License-Identifier: MIT
#include "comm/mpi/pending_messages.hpp"

#include "comm/system/activity.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

constexpr int tag = 1;
constexpr std::size_t piece_bytes = std::size_t{64}
                                    << 20;  ///< far from the 2 GiB that a count holds

/// Calls `begin(bytes, count, request)` for pieces that MPI takes, each with a request of its own
/// at the end of `requests`.
template <class Byte, class Begin>
void for_each_piece(std::span<Byte> bytes, std::vector<MPI_Request>& requests, const Begin& begin) {
  for (std::size_t first = 0; first < bytes.size(); first += piece_bytes) {
    const auto piece = bytes.subspan(first, std::min(piece_bytes, bytes.size() - first));
    requests.push_back(MPI_REQUEST_NULL);
    check(begin(piece.data(), static_cast<int>(piece.size()), &requests.back()));
  }
}

}  // namespace

void PendingMessages::receive(int rank, std::span<std::byte> bytes) {
  for_each_piece(bytes, requests_, [&](std::byte* data, int count, MPI_Request* request) {
    return MPI_Irecv(data, count, MPI_BYTE, rank, tag, communicator_.handle(), request);
  });
}

void PendingMessages::send(int rank, std::span<const std::byte> bytes) {
  for_each_piece(bytes, requests_, [&](const std::byte* data, int count, MPI_Request* request) {
    return MPI_Isend(data, count, MPI_BYTE, rank, tag, communicator_.handle(), request);
  });
}

void PendingMessages::sum(std::span<std::uint64_t> values) {
  requests_.push_back(MPI_REQUEST_NULL);
  check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T,
                       MPI_SUM, communicator_.handle(), &requests_.back()));
}

bool PendingMessages::arrived() {
  int all = 0;
  check(
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE));
  if (all != 0) requests_.clear();
  return all != 0;
}

void PendingMessages::wait() {
  const CollectiveCall call("MPI_Waitall");
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
  requests_.clear();
}

}  // namespace halotherm::comm
