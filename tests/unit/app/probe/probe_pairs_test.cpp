// SPDX-License-Identifier: MIT
#include "app/probe/probe_pairs.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/invented_ranks.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using Pairs = std::vector<RankPair>;

Pairs pairs_of(const std::vector<std::string>& hosts) {
  const auto chosen = choose_pairs(hosts, 1000);
  EXPECT_EQ(chosen.left_out, 0);
  return chosen.pairs;
}

TEST(ProbePairs, AllOnANode) {
  EXPECT_EQ(pairs_of({"a", "a", "a"}), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_TRUE(pairs_of({"a"}).empty());
}

TEST(ProbePairs, FirstRanksBetweenNodes) {
  EXPECT_EQ(pairs_of({"a", "b", "c"}), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(pairs_of({"b", "a", "b", "a"}), (Pairs{{0, 1}, {1, 3}, {0, 2}}));
}

TEST(ProbePairs, TheFirstOfThemSampleAllNodes) {
  const std::vector<std::string> hosts{"a", "a", "a", "b", "b", "b"};
  EXPECT_EQ(pairs_of(hosts), (Pairs{{0, 3}, {0, 1}, {3, 4}, {0, 2}, {3, 5}, {1, 2}, {4, 5}}));
  const auto chosen = choose_pairs(hosts, 3);
  EXPECT_EQ(chosen.pairs, (Pairs{{0, 3}, {0, 1}, {3, 4}}));
  EXPECT_EQ(chosen.left_out, 4);
}

TEST(ProbePairs, OnlyThoseThatAreTakenAreMade) {
  for (const int ranks : test::many) {
    std::vector<std::string> hosts;
    for (int rank = 0; rank < ranks; ++rank) hosts.push_back("node" + std::to_string(rank / 8));
    ChosenPairs chosen;
    const auto cost = test::allocations_of([&] { chosen = choose_pairs(hosts, 64); });
    EXPECT_EQ(chosen.pairs.size(), 64U);
    const std::int64_t nodes = ranks / 8;
    EXPECT_EQ(chosen.left_out, nodes * (nodes - 1) / 2 + nodes * 28 - 64);
    EXPECT_LE(cost.peak_bytes, 64 * ranks);
    EXPECT_LE(cost.count, 2 * ranks);
  }
}

}  // namespace
}  // namespace halotherm::app
