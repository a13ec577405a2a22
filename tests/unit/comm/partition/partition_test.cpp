// SPDX-License-Identifier: MIT
#include "comm/partition/partition.hpp"

#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halotherm::comm {
namespace {

using test::expect_part;
using test::usage_error;

constexpr Periodic open{false, false, false};
constexpr Periodic closed{true, true, true};

TEST(Partition, BlocksTileTheGrid) {
  for (int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 12, 17, 30}) {
    const auto partition = make_partition({29, 23, 17}, open, ranks, 1);
    std::int64_t cells = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto block = partition.owned(rank);
      cells += block.size();
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(block.extent(axis), partition.cells()[axis] / partition.dims()[axis]);
        EXPECT_LE(block.extent(axis), partition.cells()[axis] / partition.dims()[axis] + 1);
      }
      for (int other = 0; other < rank; ++other)
        EXPECT_TRUE(intersection(block, partition.owned(other)).empty());
    }
    EXPECT_EQ(cells, 29 * 23 * 17) << ranks;
  }
}

/// The least surface of all partitions, by trying each.
std::int64_t least_surface(const Int3& cells, const Periodic& periodic, int ranks) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) != 0) continue;
      const Int3 dims{x, y, ranks / (x * y)};
      if (x <= cells[0] && y <= cells[1] && dims[2] <= cells[2])
        least = std::min(least, exchanged_cells({cells, periodic, dims}));
    }
  }
  return least;
}

TEST(Partition, ExchangesTheLeastSurface) {
  for (const auto& cells : {Int3{64, 64, 64}, Int3{200, 10, 10}, Int3{5, 100, 40}, Int3{1000, 1, 1},
                            Int3{300, 200, 1}}) {
    for (int ranks : {1, 2, 3, 4, 6, 7, 8, 12, 16}) {
      for (const auto& periodic : {open, Periodic{cells[0] > 1, false, false}}) {
        EXPECT_EQ(exchanged_cells(make_partition(cells, periodic, ranks, 1)),
                  least_surface(cells, periodic, ranks));
      }
    }
  }
}

TEST(Partition, PrefersContiguousFaces) {
  EXPECT_EQ(make_partition({64, 64, 64}, open, 2, 1).dims()[2], 2);
  EXPECT_EQ(make_partition({64, 64, 64}, open, 4, 1).dims()[0], 1);
}

TEST(Partition, CountsExchangedCells) {
  EXPECT_EQ(exchanged_cells({{8, 4, 2}, open, {2, 1, 1}}), 2 * 4 * 2);
  EXPECT_EQ(exchanged_cells({{8, 4, 2}, closed, {2, 1, 1}}), 2 * 2 * 4 * 2);
}

TEST(Partition, FindsNeighbours) {
  const Partition partition({30, 30, 30}, {true, false, false}, {3, 2, 1});
  EXPECT_EQ(partition.neighbour(0, {1, 0, 0}), 1);
  EXPECT_EQ(partition.neighbour(0, {-1, 0, 0}), 2);  // around the periodic axis
  EXPECT_EQ(partition.neighbour(0, {0, 1, 0}), 3);
  EXPECT_EQ(partition.neighbour(0, {0, -1, 0}), std::nullopt);
  EXPECT_EQ(partition.neighbour(0, {-1, 1, 0}), 5);
  EXPECT_EQ(partition.neighbour(0, {0, 0, 1}), std::nullopt);
}

TEST(Partition, NeighboursAgreeWithEachOther) {
  const Partition partition({30, 30, 30}, {true, false, true}, {3, 2, 2});
  for (int rank = 0; rank < partition.ranks(); ++rank) {
    for (int axis = 0; axis < 3; ++axis) {
      Int3 up{0, 0, 0};
      Int3 down{0, 0, 0};
      up[axis] = 1;
      down[axis] = -1;
      if (const auto above = partition.neighbour(rank, up)) {
        EXPECT_EQ(partition.neighbour(*above, down), rank);
      }
    }
  }
}

TEST(Partition, RefusesMoreRanksThanCells) {
  expect_part(usage_error([] { make_partition({3, 1, 1}, open, 4, 1); }), "4 blocks");
  expect_part(usage_error([] { make_partition({3, 3, 3}, open, 5, 1); }), "3 x 3 x 3 cells");
}

TEST(Partition, RefusesBlocksThinnerThanTheHalo) {
  expect_part(usage_error([] { make_partition({8, 1, 1}, open, 4, 3); }), "3 cells");
  expect_part(usage_error([] {
                make_partition({2, 8, 8}, {true, false, false}, 1, 3);
              }),
              "3 cells");
}

TEST(Partition, RefusesDimsThatAreNotTheRanks) {
  const auto text = usage_error([] { make_partition({8, 8, 8}, open, 4, 1, {2, 1, 1}); });
  expect_part(text, "2 x 1 x 1");
  expect_part(text, "4 ranks");
}

TEST(Partition, SurvivesDimsWhoseProductOverflows) {
  EXPECT_NE(usage_error([] { make_partition({8, 8, 8}, open, 4, 1, {1 << 16, 1 << 16, 4}); }), "");
}

TEST(Partition, BlocksLieBetweenTheSplitPoints) {
  const SplitPoints split_points{{{0, 5, 6}, {0, 8}, {0, 1, 3, 7}}};
  const Partition partition(split_points, open);
  EXPECT_EQ(partition.cells(), (Int3{6, 8, 7}));
  EXPECT_EQ(partition.dims(), (Int3{2, 1, 3}));
  EXPECT_EQ(partition.split_points(), split_points);
  EXPECT_EQ(partition.owned(0), (Box{{0, 0, 0}, {5, 8, 1}}));
  EXPECT_EQ(partition.owned(5), (Box{{5, 0, 3}, {6, 8, 7}}));
  EXPECT_EQ(partition.thinnest(0), 1);
  EXPECT_EQ(partition.thinnest(1), 8);
  EXPECT_DOUBLE_EQ(partition.imbalance(), 5 * 8 * 4 * 6 / (6.0 * 8 * 7));
}

TEST(Partition, EvenSplitPointsGiveTheEvenPartition) {
  const Partition even({29, 23, 17}, closed, {3, 2, 4});
  const Partition same(even.split_points(), closed);
  for (int rank = 0; rank < even.ranks(); ++rank) EXPECT_EQ(even.owned(rank), same.owned(rank));
}

TEST(Partition, MappedRanksSwapTheirBlocks) {
  const Partition natural({{{0, 5, 6}, {0, 8}, {0, 3, 7}}}, open);
  const auto partition = natural.mapped({3, 0, 1, 2});
  EXPECT_EQ(partition.owned(0), natural.owned(3));
  EXPECT_EQ(partition.owned(1), natural.owned(0));
  EXPECT_EQ(partition.coordinates(2), (Int3{1, 0, 0}));
  EXPECT_EQ(partition.neighbour(1, {1, 0, 0}), 2);
  EXPECT_EQ(partition.neighbour(1, {0, 0, 1}), 3);
  EXPECT_EQ(partition.neighbour(0, {-1, 0, 0}), 3);
  const auto moved = partition.between({{{0, 1, 6}, {0, 8}, {0, 3, 7}}});
  EXPECT_EQ(moved.coordinates(2), partition.coordinates(2));
  EXPECT_EQ(moved.owned(1), (Box{{0, 0, 0}, {1, 8, 3}}));
}

TEST(Partition, RefusesSplitPointsThatDoNotAscend) {
  for (const auto& wrong : {std::vector<int>{}, {0}, {1, 4}, {0, 3, 3, 4}, {0, 5, 4}}) {
    expect_part(usage_error([&] { Partition({{{0, 4}, wrong, {0, 4}}}, open); }), "along y");
  }
}

TEST(Partition, RefusesSplitPointsThatDoNotFitTheJob) {
  const SplitPoints split_points{{{0, 8}, {0, 8}, {0, 2, 8}}};
  expect_part(usage_error([&] { make_partition(split_points, open, 4, 1); }),
              "parallel.split_points gives 1 x 1 x 2");
  expect_part(usage_error([&] { make_partition(split_points, open, 2, 3); }), "along z");
  EXPECT_EQ(make_partition(split_points, open, 2, 2).split_points(), split_points);
}

/// 2^50 cells, the most that a configuration may have.
TEST(Partition, OfTheLargestGridHasEveryCell) {
  const Int3 cells{1 << 17, 1 << 17, 1 << 16};
  const auto partition = make_partition(cells, {true, true, true}, 131072, 1);
  std::int64_t owned = 0;
  for (int rank = 0; rank < partition.ranks(); ++rank) owned += partition.owned(rank).size();
  EXPECT_EQ(owned, std::int64_t{1} << 50);
  EXPECT_EQ(partition.global().size(), std::int64_t{1} << 50);
  EXPECT_DOUBLE_EQ(partition.imbalance(), 1);
  const auto& dims = partition.dims();
  EXPECT_EQ(exchanged_cells(partition),
            2 * ((std::int64_t{dims[0]} << 33) + (std::int64_t{dims[1]} << 33) +
                 (std::int64_t{dims[2]} << 34)));
  const Partition thin({1 << 30, 1 << 20, 1}, {false, false, false}, {1 << 17, 1, 1});
  EXPECT_EQ(thin.owned(thin.ranks() - 1).upper[0], 1 << 30);
}

TEST(Partition, HasAnImbalance) {
  EXPECT_DOUBLE_EQ(make_partition({8, 8, 8}, open, 8, 1).imbalance(), 1.0);
  EXPECT_DOUBLE_EQ(make_partition({3, 1, 1}, open, 2, 1).imbalance(), 2 / 1.5);
}

TEST(Partition, BlocksOfCoarseCellsBeginAtOrAboveTheirSplitPoints) {
  const Int3 pairs{2, 1, 1};
  const auto points = [](const std::optional<Partition>& partition) {
    return partition ? partition->split_points()[0] : std::vector<int>{};
  };
  const auto split_at = [](const std::vector<int>& along) {
    return Partition({along, {0, 1}, {0, 1}}, open);
  };
  EXPECT_EQ(points(split_at({0, 5, 9}).coarsened(pairs, 1)), (std::vector<int>{0, 3, 5}));
}

}  // namespace
}  // namespace halotherm::comm
