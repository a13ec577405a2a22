// SPDX-License-Identifier: MIT
#include "comm/mpi/pending_sum.hpp"
#include "comm/mpi/pending_messages.hpp"

#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace halotherm::comm {
namespace {

using test::world;

std::uint64_t value_of(int rank, std::size_t n) {
  return (static_cast<std::uint64_t>(rank) + 1) * 0x9e3779b97f4a7c15U * (n + 1);  // beyond 2^64
}

std::vector<std::uint64_t> values_of_rank(std::size_t size) {
  std::vector<std::uint64_t> values;
  for (std::size_t n = 0; n < size; ++n) values.push_back(value_of(world().rank(), n));
  return values;
}

int wrong_sums(const std::vector<std::uint64_t>& sums) {
  int wrong = 0;
  for (std::size_t n = 0; n < sums.size(); ++n) {
    std::uint64_t expected = 0;
    for (int rank = 0; rank < world().size(); ++rank) expected += value_of(rank, n);
    wrong += sums[n] == expected ? 0 : 1;
  }
  return wrong;
}

TEST(PendingSum, IsTheSumModulo2To64) {
  for (const std::size_t size : {0, 1, 1000}) {
    auto sums = values_of_rank(size);
    PendingMessages messages(world());
    messages.sum(sums);
    messages.wait();
    EXPECT_EQ(wrong_sums(sums), 0);
    EXPECT_TRUE(messages.arrived());
  }
}

/// The sums of invented ranks, each of which has a number, and the largest number of rounds of any;
/// 0 if ranks wait for each other for ever, or end with different sums.
struct Invented {
  std::uint64_t sum = 0;
  std::size_t rounds = 0;
};

Invented sums_of_invented(int ranks) {
  std::vector<std::vector<PendingSum::Round>> rounds;
  std::vector<std::uint64_t> sums;
  for (int rank = 0; rank < ranks; ++rank) {
    rounds.push_back(PendingSum::rounds_of(rank, ranks));
    sums.push_back(value_of(rank, 0));
  }
  std::vector<std::size_t> at(rounds.size());
  const auto next = [&](std::size_t rank) {
    return at[rank] < rounds[rank].size() ? &rounds[rank][at[rank]] : nullptr;
  };
  const auto take = [](const PendingSum::Round& round, std::uint64_t& sum, std::uint64_t other) {
    if (round.receives) sum = round.replaces ? other : sum + other;
  };
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t rank = 0; rank < rounds.size(); ++rank) {
      const auto* const mine = next(rank);
      if (mine == nullptr) continue;
      const auto peer = static_cast<std::size_t>(mine->rank);
      const auto* const other = next(peer);
      if (other == nullptr || other->rank != static_cast<int>(rank)) continue;
      if (mine->sends != other->receives || mine->receives != other->sends) return {};
      const auto [before, of_peer] = std::pair(sums[rank], sums[peer]);
      take(*mine, sums[rank], of_peer);
      take(*other, sums[peer], before);
      ++at[rank], ++at[peer];
      goes_on = true;
    }
  }
  Invented result{sums.front(), 0};
  for (std::size_t rank = 0; rank < rounds.size(); ++rank) {
    if (at[rank] < rounds[rank].size() || sums[rank] != result.sum) return {};
    result.rounds = std::max(result.rounds, rounds[rank].size());
  }
  return result;
}

/// A rank that calls `arrived` once a step needs a call for each round whose messages have arrived:
/// at most 8 log2 P calls, for checkpoints of which MPI's own sums take a ring of P rounds.
TEST(PendingSum, TakesRoundsAsTheLogarithmOfTheRanks) {
  for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 13, 192, 1000, 8192, 131072}) {
    const auto result = sums_of_invented(ranks);
    std::uint64_t expected = 0;
    for (int rank = 0; rank < ranks; ++rank) expected += value_of(rank, 0);
    EXPECT_EQ(result.sum, expected) << ranks;
    EXPECT_LE(static_cast<double>(result.rounds), std::floor(std::log2(ranks)) + 2) << ranks;
  }
}

/// Messages take time, so the number of polls follows from the machine; only the sums count here.
TEST(PendingSum, EndsBeforeWaitIfItIsPolled) {
  for (const std::size_t size : {1, 100, 1 << 16}) {  // of a checkpoint at most 2^16 a field
    auto sums = values_of_rank(size);
    PendingMessages messages(world());
    messages.sum(sums);
    for (bool here = false; !world().all(here);) here = here || messages.arrived();
    EXPECT_EQ(wrong_sums(sums), 0) << size;
  }
}

}  // namespace
}  // namespace halotherm::comm
