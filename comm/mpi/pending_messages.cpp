// SPDX-License-Identifier: MIT
#include "comm/mpi/pending_messages.hpp"

#include "comm/system/activity.hpp"

namespace halotherm::comm {

namespace {

constexpr int tag = 1;
constexpr std::int64_t most_bytes = std::int64_t{64} << 20;  ///< of one MPI message

/// Calls `begin(bytes, count, request)` for parts of at most `most_bytes`. Their requests are
/// appended to `requests`.
template <class Byte, class Begin>
void begin_in_parts(std::span<Byte> bytes, std::vector<MPI_Request>& requests, const Begin& begin) {
  if (bytes.empty()) return;
  for_each_part(std::ssize(bytes), most_bytes, [&](std::int64_t first, int count) {
    requests.push_back(MPI_REQUEST_NULL);
    check(begin(bytes.data() + first, count, &requests.back()));
  });
}

}  // namespace

void PendingMessages::receive(int rank, std::span<std::byte> bytes) {
  begin_in_parts(bytes, requests_, [&](std::byte* data, int count, MPI_Request* request) {
    return MPI_Irecv(data, count, MPI_BYTE, rank, tag, communicator_.handle(), request);
  });
}

void PendingMessages::send(int rank, std::span<const std::byte> bytes) {
  begin_in_parts(bytes, requests_, [&](const std::byte* data, int count, MPI_Request* request) {
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
