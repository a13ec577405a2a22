// SPDX-License-Identifier: MIT
#include "comm/mpi/pending_sum.hpp"

#include "comm/mpi/tags.hpp"
#include "comm/system/activity.hpp"

#include <algorithm>
#include <bit>

namespace halotherm::comm {

auto PendingSum::rounds_of(int rank, int ranks) -> std::vector<Round> {
  const auto doubling = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks)));
  if (rank >= doubling)  // ranks beyond the power of two give theirs to the first
    return {{rank - doubling, true, false, false}, {rank - doubling, false, true, true}};
  const int partner = rank + doubling;
  const bool has_partner = partner < ranks;
  std::vector<Round> rounds;
  if (has_partner) rounds.push_back({partner, false, true, false});
  for (int bit = 1; bit < doubling; bit *= 2) rounds.push_back({rank ^ bit});
  if (has_partner) rounds.push_back({partner, true, false, false});
  return rounds;
}

PendingSum::PendingSum(const Communicator& communicator, std::span<std::uint64_t> values)
    : communicator_(communicator),
      values_(values),
      rounds_(rounds_of(communicator.rank(), communicator.size())),
      received_(values.size()) {
  begin_round();
}

void PendingSum::begin_round() {
  if (round_ == rounds_.size()) return;
  const auto& round = rounds_[round_];
  const auto handle = communicator_.handle();
  for_each_part(std::ssize(values_), most_at_once, [&](std::int64_t first, int count) {
    if (round.receives)
      check(MPI_Irecv(received_.data() + first, count, MPI_UINT64_T, round.rank, tags::pending_sums,
                      handle, &requests_.emplace_back(MPI_REQUEST_NULL)));
    if (round.sends)
      check(MPI_Isend(values_.data() + first, count, MPI_UINT64_T, round.rank, tags::pending_sums,
                      handle, &requests_.emplace_back(MPI_REQUEST_NULL)));
  });
}

void PendingSum::end_round() {
  requests_.clear();
  const auto& round = rounds_[round_++];
  if (round.replaces) {
    std::ranges::copy(received_, values_.begin());
  } else if (round.receives) {
    for (std::size_t n = 0; n < values_.size(); ++n) values_[n] += received_[n];
  }
  begin_round();
}

bool PendingSum::arrived() {
  while (round_ < rounds_.size()) {
    int all = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all,
                      MPI_STATUSES_IGNORE));
    if (all == 0) return false;
    end_round();
  }
  return true;
}

void PendingSum::wait() {
  const CollectiveCall call("MPI_Waitall");
  while (round_ < rounds_.size()) {
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
    end_round();
  }
}

}  // namespace halotherm::comm
