// SPDX-License-Identifier: MIT
// The sums over all ranks, against the plans of all ranks.
#include "comm/halo/halo_totals.hpp"

#include "comm/mpi/error.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/invented_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace halotherm::comm {
namespace {

HaloTotals of_plans(const Partition& partition, int width, GhostRegion region,
                    const std::vector<int>& nodes) {
  HaloTotals totals;
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    const auto plan = make_halo_plan(partition, rank, width, region);
    totals.messages += std::ssize(plan.messages);
    totals.cells += plan.sent_cells();
    totals.between_nodes += plan.sent_cells_off(nodes[static_cast<std::size_t>(rank)], nodes);
  }
  return totals;
}

/// Even and uneven ones, whose ranks have their blocks in turn and backwards.
std::vector<Partition> all_partitions() {
  std::vector<Partition> found;
  for (int bits = 0; bits < 8; ++bits) {
    const Periodic periodic{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
    for (const auto& dims : {Int3{1, 1, 1}, Int3{2, 1, 1}, Int3{1, 2, 3}, Int3{3, 4, 2}})
      found.emplace_back(Int3{13, 12, 11}, periodic, dims);
    found.emplace_back(SplitPoints{{{0, 3, 13}, {0, 11}, {0, 5, 8, 12}}}, periodic);
    std::vector<int> blocks(static_cast<std::size_t>(found.back().ranks()));
    std::iota(blocks.rbegin(), blocks.rend(), 0);
    found.push_back(found.back().mapped(blocks));
  }
  return found;
}

TEST(HaloTotals, AreTheSumsOverAllPlans) {
  for (const auto& partition : all_partitions()) {
    for (const int per_node : {1, 2, 4, 100}) {
      const auto nodes = test::invented_nodes(partition.ranks(), per_node);
      for (int width = 1; width <= 3; ++width) {
        for (const auto region : {GhostRegion::faces, GhostRegion::all}) {
          const auto found = halo_totals(partition, width, region, nodes);
          const auto expected = of_plans(partition, width, region, nodes);
          EXPECT_EQ(found.messages, expected.messages);
          EXPECT_EQ(found.cells, expected.cells);
          EXPECT_EQ(found.between_nodes, expected.between_nodes);
        }
      }
    }
  }
}

TEST(HaloTotals, RefuseFacesThatCannotBeCounted) {
  const int large = 1 << 16;
  const Partition partition({2 * large, large, 4}, {}, {1, 1, 2});
  EXPECT_THROW(halo_totals(partition, 1, GhostRegion::faces, {0, 0}), Error);
  EXPECT_NO_THROW(halo_totals({{2 * large, large, 4}, {}, {8, 1, 1}}, 1, GhostRegion::faces,
                              std::vector<int>(8)));
}

TEST(HaloTotals, OneBlockOfEachKindHasTheMostCellsAndTheLargestPlan) {
  for (const auto& mapped : all_partitions()) {
    const Partition partition(mapped.split_points(), mapped.periodic());
    std::int64_t cells = 0, sent = 0, most_cells = 0, most_sent = 0;
    const auto of = [&](int rank) {
      return make_halo_plan(partition, rank, 2, GhostRegion::all).sent_cells();
    };
    for (int rank = 0; rank < partition.ranks(); ++rank) {
      most_cells = std::max(most_cells, partition.owned(rank).size());
      most_sent = std::max(most_sent, of(rank));
    }
    const auto kinds = kinds_of_blocks(partition);
    EXPECT_LE(kinds.size(), 27U);
    for (const int rank : kinds) {
      cells = std::max(cells, partition.owned(rank).size());
      sent = std::max(sent, of(rank));
    }
    EXPECT_EQ(cells, most_cells);
    EXPECT_EQ(sent, most_sent);
  }
}

TEST(HaloTotals, AllocateNothingForEachRank) {
  for (const int ranks : test::many) {
    const Partition partition({16384, 16384, 16384}, {}, {ranks / 1024, 32, 32});
    const auto nodes = test::invented_nodes(ranks, 8);
    const auto cost = test::allocations_of([&] {
      const auto totals = halo_totals(partition, 2, GhostRegion::all, nodes);
      EXPECT_GT(totals.between_nodes, 0);
      EXPECT_LE(kinds_of_blocks(partition).size(), 27U);
    });
    EXPECT_LE(cost.count, 100);
    EXPECT_LE(cost.peak_bytes, 10000);
  }
}

}  // namespace
}  // namespace halotherm::comm
