// SPDX-License-Identifier: MIT
#include "app/probe/probe_pairs.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using Pairs = std::vector<RankPair>;

TEST(ProbePairs, AllOnANode) {
  EXPECT_EQ(pairs_of({"a", "a", "a"}), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_TRUE(pairs_of({"a"}).empty());
}

TEST(ProbePairs, FirstRanksBetweenNodes) {
  EXPECT_EQ(pairs_of({"a", "b", "c"}), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(pairs_of({"b", "a", "b", "a"}), (Pairs{{0, 1}, {1, 3}, {0, 2}}));
}

TEST(ProbePairs, TheFirstOfThemSampleAllNodes) {
  const auto pairs = pairs_of({"a", "a", "a", "b", "b", "b"});
  ASSERT_EQ(pairs.size(), 7u);
  EXPECT_EQ(Pairs(pairs.begin(), pairs.begin() + 3), (Pairs{{0, 3}, {0, 1}, {3, 4}}));
}

}  // namespace
}  // namespace halotherm::app
