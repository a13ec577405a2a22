// SPDX-License-Identifier: MIT
// How reading is shared among up to 131,072 ranks.
#include "io/distribution/bricks.hpp"

#include "comm/partition/partition.hpp"
#include "io/distribution/scatter.hpp"
#include "io/field/shared_read.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace halotherm::io {
namespace {

std::vector<int> nodes_of(int ranks, int ranks_per_node) {
  std::vector<int> nodes;
  for (int rank = 0; rank < ranks; ++rank) nodes.push_back(rank / ranks_per_node * ranks_per_node);
  return nodes;
}

/// Every brick once, whole grains, no brick too large; the values of the busiest reader.
std::int64_t expect_partition(const Bricks& bricks, const comm::Int3& grain, std::int64_t most) {
  std::int64_t values = 0, busiest = 0, count = 0;
  for (const int reader : bricks.readers()) {
    std::int64_t own = 0;
    for (int round = 0; round < bricks.rounds(); ++round) {
      const auto box = bricks.of(reader, round);
      if (box.empty()) continue;
      ++count;
      own += box.size();
      EXPECT_LE(box.size(), most);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(box.lower[axis] % grain[axis], 0);
        EXPECT_TRUE(box.upper[axis] % grain[axis] == 0 || box.upper[axis] == bricks.extent()[axis]);
      }
    }
    EXPECT_GT(own, 0);
    values += own;
    busiest = std::max(busiest, own);
  }
  EXPECT_EQ(count, bricks.count());
  EXPECT_EQ(values, (comm::Box{{0, 0, 0}, bricks.extent()}.size()));
  return busiest;
}

TEST(Bricks, are_the_whole_data_set_once_in_whole_grains) {
  const std::int64_t most = largest_brick_bytes / 8;
  for (const comm::Int3& extent : {comm::Int3{64, 64, 64},
                                   {101, 97, 89},
                                   {1000, 1, 1},
                                   {3000, 2000, 1},
                                   {512, 512, 512},
                                   {100000000, 3, 1},
                                   {20000, 10000, 2},
                                   {1, 1, 40000000}}) {
    for (const comm::Int3& grain :
         {comm::Int3{1, 1, 1}, {7, 5, 3}, {64, 64, 64}, {32, 16, 1000000}}) {
      const comm::Int3 fitting{std::min(grain[0], extent[0]), std::min(grain[1], extent[1]),
                               std::min(grain[2], extent[2])};
      for (const int ranks : {1, 2, 3, 7, 8, 64}) {
        expect_partition(bricks_to_read(extent, fitting, 8, nodes_of(ranks, 4)), fitting,
                         std::max(most, comm::Box{{0, 0, 0}, fitting}.size()));
      }
    }
  }
}

TEST(Bricks, of_one_grain_that_is_larger_than_all_limits) {
  const comm::Int3 grain{512, 512, 100};
  EXPECT_EQ(expect_partition(bricks_to_read({512, 512, 400}, grain, 8, nodes_of(8, 8)), grain,
                             512 * 512 * 100),
            512 * 512 * 100);
}

TEST(Bricks, readers_have_equal_shares_of_what_is_large) {
  for (const comm::Int3& extent :
       {comm::Int3{512, 512, 512}, {509, 511, 513}, {8192, 8192, 1}, {2048, 2048, 2047}}) {
    for (const int ranks : {1, 2, 3, 4, 8, 64, 1024}) {
      const auto bricks = bricks_to_read(extent, {1, 1, 1}, 8, nodes_of(ranks, 8));
      const auto values = static_cast<double>(comm::Box{{0, 0, 0}, extent}.size());
      EXPECT_LE(static_cast<double>(expect_partition(bricks, {1, 1, 1}, largest_brick_bytes / 8)),
                1.25 * values / static_cast<double>(bricks.readers().size()));
    }
  }
}

TEST(Bricks, contiguous_data_are_read_in_contiguous_pieces) {
  for (const comm::Int3& extent :
       {comm::Int3{512, 512, 512}, {509, 511, 513}, {8192, 8192, 1}, {100000, 100000, 2}}) {
    const auto shape = bricks_to_read(extent, {1, 1, 1}, 8, nodes_of(64, 8)).shape();
    EXPECT_TRUE(shape[2] == 1 || shape[1] == extent[1]);
    EXPECT_TRUE((shape[2] == 1 && shape[1] == 1) || shape[0] == extent[0]);
  }
}

TEST(Bricks, a_few_ranks_of_each_node_read) {
  const auto nodes = nodes_of(64, 16);
  std::map<int, int> readers;
  const auto bricks = bricks_to_read({512, 512, 512}, {1, 1, 1}, 8, nodes);
  for (const int rank : bricks.readers()) ++readers[nodes[static_cast<std::size_t>(rank)]];
  EXPECT_EQ(readers, (std::map<int, int>{{0, 4}, {16, 4}, {32, 4}, {48, 4}}));
  EXPECT_EQ(
      bricks_to_read({512, 512, 512}, {1, 1, 1}, 8, nodes_of(131072, 131072)).readers().size(), 4U);
  EXPECT_EQ(bricks_to_read({64, 64, 64}, {1, 1, 1}, 8, nodes).readers().size(), 2U)
      << "2 MiB, 1 MiB for each";
  EXPECT_EQ(bricks_to_read({10, 10, 10}, {1, 1, 1}, 8, nodes).readers(), std::vector<int>{0});
  EXPECT_EQ(bricks_to_read({512, 512, 512}, {1, 1, 1}, 8, nodes_of(131072, 8)).readers().size(),
            1024U);
}

TEST(Bricks, of_the_largest_grid_reach_its_end) {
  const comm::Int3 extent{1 << 17, 1 << 17, 1 << 16};
  for (const int ranks : {1, 131072}) {
    const auto bricks = bricks_to_read(extent, {1, 1, 1}, 8, nodes_of(ranks, 8));
    const auto round = bricks.rounds() - 1;
    const auto last = bricks.of(bricks.readers().back(), round);
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(last.upper[axis], extent[axis]);
    EXPECT_LE(last.size(), largest_brick_bytes / 8);
    EXPECT_EQ(bricks.count(), std::int64_t{1} << 29);
  }
}

TEST(Bricks, what_a_reader_keeps_is_estimated_without_the_messages) {
  for (const int ranks : {1, 2, 6, 8, 64}) {
    const auto cut = comm::make_partition({509, 511, 513}, {false, false, false}, ranks, 1);
    std::vector<comm::Box> blocks;
    for (int rank = 0; rank < ranks; ++rank) blocks.push_back(cut.owned(rank));
    const auto nodes = nodes_of(ranks, 4);
    const auto bricks = bricks_to_read(cut.cells(), {1, 1, 1}, 8, nodes);
    EXPECT_EQ(values_kept_to_read<double>(cut.cells(), blocks, nodes),
              Scatter<double>(bricks, blocks, 0, {0, 0, 0}).buffered_values());
  }
}

/// One rank's plan of 131,072: its messages are those of its own block, and a reader's those of its
/// bricks.
TEST(Bricks, a_plan_of_131072_ranks_is_made_from_few_messages) {
  const comm::Partition cut({8192, 8192, 4096}, {false, false, false}, {64, 64, 32});
  std::vector<comm::Box> blocks;
  for (int rank = 0; rank < cut.ranks(); ++rank) blocks.push_back(cut.owned(rank));
  const auto bricks = bricks_to_read(cut.cells(), {1, 1, 1}, 8, nodes_of(cut.ranks(), 8));
  EXPECT_EQ(bricks.readers().size(), 65536U);
  for (const int rank : {0, 77777, 131071}) {
    const Scatter<double> scatter(bricks, blocks, rank, {0, 0, 0});
    EXPECT_LE(scatter.buffered_values(), blocks.front().size() + 2 * bricks.of(0, 0).size());
  }
}

}  // namespace
}  // namespace halotherm::io
