// SPDX-License-Identifier: MIT
// What the busiest ranks send, on as many ranks as nobody starts here.
#include "comm/halo/halo_traffic.hpp"

#include "comm/partition/rank_mapping.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

constexpr Periodic open{false, false, false};

/// So many ranks on each node.
std::vector<int> in_turn(int ranks, int of_node) {
  std::vector<int> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes.push_back(rank / of_node * of_node);
  return nodes;
}

RankTraffic traffic_of_rank(const Partition& partition, int rank, const std::vector<int>& nodes) {
  const auto plan = make_halo_plan(partition, rank, 1, GhostRegion::faces);
  return traffic_of(plan, nodes[static_cast<std::size_t>(rank)], nodes);
}

TEST(HaloTraffic, KnowsWhatLeavesTheNode) {
  const Partition partition({20, 30, 40}, open, {2, 3, 1});
  const auto nodes = in_turn(6, 2);  // two blocks along x a node
  const auto middle = traffic_of_rank(partition, 2, nodes);
  EXPECT_EQ(middle.messages, 3);
  EXPECT_EQ(middle.cells_on_node, 10 * 40);
  EXPECT_EQ(middle.cells_off_node, 2 * 10 * 40);
  EXPECT_EQ(middle.cells, 3 * 10 * 40);
  EXPECT_EQ(middle.longest_off_node, 10 * 40);
  EXPECT_EQ(traffic_of_rank(partition, 0, in_turn(6, 6)).longest_off_node, 0);
}

TEST(HaloTraffic, EachNumberIsThatOfTheRankWhereItIsLargest) {
  RankTraffic most{.messages = 3, .cells = 10, .cells_off_node = 10};
  most.raise_to({.messages = 2, .cells = 20, .cells_on_node = 20});
  EXPECT_EQ(most.messages, 3);
  EXPECT_EQ(most.cells, 20);
  EXPECT_EQ(most.cells_off_node, 10);
  EXPECT_EQ(most.cells_on_node, 20);
}

TEST(HaloTraffic, OfTenThousandNodesAddsUp) {
  const Partition even({21544, 21544, 21544}, open, {32, 64, 64});
  const auto nodes = in_turn(even.ranks(), 8);
  const auto partition = mapped_by_nodes(even, nodes);
  RankTraffic most;
  std::int64_t messages = 0, cells = 0, off_node = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto mine = traffic_of_rank(partition, rank, nodes);
    most.raise_to(mine);
    messages += mine.messages;
    cells += mine.cells;
    off_node += mine.cells_off_node;
  }
  EXPECT_EQ(messages, 2 * (31 * 64 * 64 + 2 * 32 * 63 * 64));
  EXPECT_EQ(cells, exchanged_cells(partition));
  EXPECT_EQ(off_node, cells_between_nodes(partition, nodes));
  EXPECT_EQ(most.messages, 6);
  EXPECT_EQ(most.cells, 2 * (337 * 337 + 2 * 674 * 337));
  EXPECT_EQ(most.longest_off_node, 674 * 337);
}

}  // namespace
}  // namespace halotherm::comm
