// SPDX-License-Identifier: MIT
#include "comm/mpi/pending_messages.hpp"

#include "comm/mpi/tags.hpp"
#include "comm/system/activity.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

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
    return MPI_Irecv(data, count, MPI_BYTE, rank, tags::pending_messages, communicator_.handle(),
                     request);
  });
}

void PendingMessages::send(int rank, std::span<const std::byte> bytes) {
  begin_in_parts(bytes, requests_, [&](const std::byte* data, int count, MPI_Request* request) {
    return MPI_Isend(data, count, MPI_BYTE, rank, tags::pending_messages, communicator_.handle(),
                     request);
  });
}

void PendingMessages::sum(std::span<std::uint64_t> values) {
  sums_.emplace_back(communicator_, values);
}

bool PendingMessages::arrived() {
  int all = 0;
  check(
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE));
  if (all == 0) return false;
  requests_.clear();
  if (!std::ranges::all_of(sums_, [](auto& sum) { return sum.arrived(); })) return false;
  sums_.clear();
  return true;
}

void PendingMessages::wait() {
  const CollectiveCall call("MPI_Waitall");
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
  requests_.clear();
  for (auto& sum : sums_) sum.wait();
  sums_.clear();
}

}  // namespace halotherm::comm
