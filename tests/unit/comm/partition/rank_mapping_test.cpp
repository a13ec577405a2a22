// SPDX-License-Identifier: MIT
#include "comm/partition/rank_mapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace halotherm::comm {
namespace {

constexpr Periodic open{false, false, false};

/// `count` ranks on each of `nodes` nodes, one node after the other.
std::vector<int> in_turn(int nodes, int count) {
  std::vector<int> node_of_rank;
  for (int rank = 0; rank < nodes * count; ++rank) node_of_rank.push_back(rank / count);
  return node_of_rank;
}

/// Ranks that are distributed to the nodes round-robin.
std::vector<int> dealt(int nodes, int count) {
  std::vector<int> node_of_rank;
  for (int rank = 0; rank < nodes * count; ++rank) node_of_rank.push_back(rank % nodes);
  return node_of_rank;
}

void expect_permutation(const Partition& partition) {
  std::int64_t cells = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    cells += partition.owned(rank).size();
    for (int other = 0; other < rank; ++other)
      EXPECT_TRUE(intersection(partition.owned(rank), partition.owned(other)).empty());
  }
  EXPECT_EQ(cells, partition.global().size());
}

void expect_natural(const Partition& partition) {
  const Partition natural(partition.split_points(), partition.periodic());
  for (int rank = 0; rank < partition.ranks(); ++rank)
    EXPECT_EQ(partition.owned(rank), natural.owned(rank));
}

TEST(RankMapping, CountsCellsThatCrossNodes) {
  const Partition partition({8, 6, 4}, open, {1, 1, 4});
  EXPECT_EQ(cells_between_nodes(partition, {0, 0, 0, 0}), 0);
  EXPECT_EQ(cells_between_nodes(partition, {0, 0, 1, 1}), 2 * 8 * 6);
  EXPECT_EQ(cells_between_nodes(partition, {0, 1, 0, 1}), 3 * 2 * 8 * 6);
  EXPECT_EQ(cells_between_nodes({{8, 6, 4}, {false, false, true}, {1, 1, 2}}, {0, 1}),
            2 * 2 * 8 * 6);
  EXPECT_EQ(cells_between_nodes(Partition({{{0, 8}, {0, 1, 6}, {0, 3, 4}}}, open), {0, 1, 0, 1}),
            2 * 8 * 4);
}

TEST(RankMapping, NodesGetBoxesInsteadOfRows) {
  const Partition natural({64, 64, 64}, open, {1, 4, 4});
  const auto nodes = in_turn(4, 4);
  const auto partition = mapped_by_nodes(natural, nodes);
  expect_permutation(partition);
  EXPECT_EQ(cells_between_nodes(natural, nodes), 3 * 2 * 64 * 64);
  EXPECT_EQ(cells_between_nodes(partition, nodes), 2 * 2 * 64 * 64);
  EXPECT_EQ(partition.coordinates(0), (Int3{0, 0, 0}));
  EXPECT_EQ(partition.coordinates(3), (Int3{0, 1, 1}));
  EXPECT_EQ(partition.coordinates(4), (Int3{0, 2, 0}));
}

TEST(RankMapping, LargeFacesStayWithinNodes) {
  const Partition natural({256, 32, 64}, open,
                          {4, 2, 1});  // a row of four is a node: the large y-faces cross
  const auto partition = mapped_by_nodes(natural, in_turn(2, 4));
  expect_permutation(partition);
  EXPECT_EQ(cells_between_nodes(natural, in_turn(2, 4)), 2 * 256 * 64);
  EXPECT_EQ(cells_between_nodes(partition, in_turn(2, 4)), 2 * 32 * 64);
}

TEST(RankMapping, RanksMayBeDistributedRoundRobin) {
  const Partition natural({32, 32, 64}, open, {1, 1, 8});
  const auto nodes = dealt(2, 4);
  EXPECT_EQ(cells_between_nodes(natural, nodes), 7 * 2 * 32 * 32);
  const auto partition = mapped_by_nodes(natural, nodes);
  expect_permutation(partition);
  EXPECT_EQ(cells_between_nodes(partition, nodes), 2 * 32 * 32);
}

TEST(RankMapping, UnevenBlocksAreMappedByTheirFaces) {
  const Partition natural({{{0, 10, 250, 256}, {0, 16, 32}, {0, 2, 64}}}, {true, false, false});
  const auto nodes = in_turn(2, 6);
  const auto partition = mapped_by_nodes(natural, nodes);
  expect_permutation(partition);
  EXPECT_EQ(partition.split_points(), natural.split_points());
  EXPECT_LE(cells_between_nodes(partition, nodes), cells_between_nodes(natural, nodes));
}

TEST(RankMapping, StaysWhereNothingIsGained) {
  const Partition partition({64, 64, 64}, open, {2, 2, 2});
  expect_natural(mapped_by_nodes(partition, in_turn(1, 8)));
  expect_natural(mapped_by_nodes(partition, in_turn(2, 4)));  // half of z each
  expect_natural(mapped_by_nodes(partition, in_turn(8, 1)));
  expect_natural(mapped_by_nodes(partition, {0, 0, 0, 1, 1, 1, 1, 1}));  // unequal
  expect_natural(mapped_by_nodes({{64, 64, 64}, open, {1, 1, 9}}, in_turn(3, 3)));
}

}  // namespace
}  // namespace halotherm::comm
