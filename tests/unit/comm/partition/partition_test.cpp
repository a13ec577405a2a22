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

TEST(Decomposition, BlocksTileTheGrid) {
  for (int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 12, 17, 30}) {
    const auto cut = decompose({29, 23, 17}, open, ranks, 1);
    std::int64_t cells = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto block = cut.owned(rank);
      cells += block.size();
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(block.extent(axis), cut.cells()[axis] / cut.dims()[axis]);
        EXPECT_LE(block.extent(axis), cut.cells()[axis] / cut.dims()[axis] + 1);
      }
      for (int other = 0; other < rank; ++other) EXPECT_TRUE(intersection(block, cut.owned(other)).empty());
    }
    EXPECT_EQ(cells, 29 * 23 * 17) << ranks;
  }
}

/// The least surface of all cuts, by trying each.
std::int64_t least_surface(const Int3& cells, const Periodic& periodic, int ranks) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int x = 1; x <= ranks; ++x) {
    for (int y = 1; x * y <= ranks; ++y) {
      if (ranks % (x * y) != 0) continue;
      const Int3 dims{x, y, ranks / (x * y)};
      if (x <= cells[0] && y <= cells[1] && dims[2] <= cells[2]) least = std::min(least, exchanged_cells({cells, periodic, dims}));
    }
  }
  return least;
}

TEST(Decomposition, ExchangesTheLeastSurface) {
  for (const auto& cells : {Int3{64, 64, 64}, Int3{200, 10, 10}, Int3{5, 100, 40}, Int3{1000, 1, 1}, Int3{300, 200, 1}}) {
    for (int ranks : {1, 2, 3, 4, 6, 7, 8, 12, 16}) {
      for (const auto& periodic : {open, Periodic{cells[0] > 1, false, false}}) {
        EXPECT_EQ(exchanged_cells(decompose(cells, periodic, ranks, 1)), least_surface(cells, periodic, ranks));
      }
    }
  }
}

TEST(Decomposition, PrefersContiguousFaces) {
  EXPECT_EQ(decompose({64, 64, 64}, open, 2, 1).dims()[2], 2);
  EXPECT_EQ(decompose({64, 64, 64}, open, 4, 1).dims()[0], 1);
}

TEST(Decomposition, CountsWhatIsExchanged) {
  EXPECT_EQ(exchanged_cells({{8, 4, 2}, open, {2, 1, 1}}), 2 * 4 * 2);
  EXPECT_EQ(exchanged_cells({{8, 4, 2}, closed, {2, 1, 1}}), 2 * 2 * 4 * 2);
}

TEST(Decomposition, KnowsNeighbours) {
  const Decomposition cut({30, 30, 30}, {true, false, false}, {3, 2, 1});
  EXPECT_EQ(cut.neighbour(0, {1, 0, 0}), 1);
  EXPECT_EQ(cut.neighbour(0, {-1, 0, 0}), 2);  // around the periodic axis
  EXPECT_EQ(cut.neighbour(0, {0, 1, 0}), 3);
  EXPECT_EQ(cut.neighbour(0, {0, -1, 0}), std::nullopt);
  EXPECT_EQ(cut.neighbour(0, {-1, 1, 0}), 5);
  EXPECT_EQ(cut.neighbour(0, {0, 0, 1}), std::nullopt);
}

TEST(Decomposition, NeighboursAgreeWithEachOther) {
  const Decomposition cut({30, 30, 30}, {true, false, true}, {3, 2, 2});
  for (int rank = 0; rank < cut.ranks(); ++rank) {
    for (int axis = 0; axis < 3; ++axis) {
      Int3 up{0, 0, 0};
      Int3 down{0, 0, 0};
      up[axis] = 1;
      down[axis] = -1;
      if (const auto above = cut.neighbour(rank, up)) {
        EXPECT_EQ(cut.neighbour(*above, down), rank);
      }
    }
  }
}

TEST(Decomposition, RefusesMoreRanksThanCells) {
  expect_part(usage_error([] { decompose({3, 1, 1}, open, 4, 1); }), "4 blocks");
  expect_part(usage_error([] { decompose({3, 3, 3}, open, 5, 1); }), "3 x 3 x 3 cells");
}

TEST(Decomposition, RefusesBlocksThinnerThanTheHalo) {
  expect_part(usage_error([] { decompose({8, 1, 1}, open, 4, 3); }), "3 cells");
  expect_part(usage_error([] { decompose({2, 8, 8}, {true, false, false}, 1, 3); }), "3 cells");
}

TEST(Decomposition, RefusesDimsThatAreNotTheRanks) {
  const auto text = usage_error([] { decompose({8, 8, 8}, open, 4, 1, {2, 1, 1}); });
  expect_part(text, "2 x 1 x 1");
  expect_part(text, "4 ranks");
}

TEST(Decomposition, SurvivesDimsWhoseProductOverflows) {
  EXPECT_NE(usage_error([] { decompose({8, 8, 8}, open, 4, 1, {1 << 16, 1 << 16, 4}); }), "");
}

TEST(Decomposition, BlocksLieBetweenThePlanes) {
  const Planes planes{{{0, 5, 6}, {0, 8}, {0, 1, 3, 7}}};
  const Decomposition cut(planes, open);
  EXPECT_EQ(cut.cells(), (Int3{6, 8, 7}));
  EXPECT_EQ(cut.dims(), (Int3{2, 1, 3}));
  EXPECT_EQ(cut.planes(), planes);
  EXPECT_EQ(cut.owned(0), (Box{{0, 0, 0}, {5, 8, 1}}));
  EXPECT_EQ(cut.owned(5), (Box{{5, 0, 3}, {6, 8, 7}}));
  EXPECT_EQ(cut.thinnest(0), 1);
  EXPECT_EQ(cut.thinnest(1), 8);
  EXPECT_DOUBLE_EQ(cut.imbalance(), 5 * 8 * 4 * 6 / (6.0 * 8 * 7));
}

TEST(Decomposition, EvenPlanesAreThoseOfTheEvenCut) {
  const Decomposition even({29, 23, 17}, closed, {3, 2, 4});
  const Decomposition same(even.planes(), closed);
  for (int rank = 0; rank < even.ranks(); ++rank) EXPECT_EQ(even.owned(rank), same.owned(rank));
}

TEST(Decomposition, PlacedRanksSwapTheirBlocks) {
  const Decomposition natural({{{0, 5, 6}, {0, 8}, {0, 3, 7}}}, open);
  const auto cut = natural.placed({3, 0, 1, 2});
  EXPECT_EQ(cut.owned(0), natural.owned(3));
  EXPECT_EQ(cut.owned(1), natural.owned(0));
  EXPECT_EQ(cut.coordinates(2), (Int3{1, 0, 0}));
  EXPECT_EQ(cut.neighbour(1, {1, 0, 0}), 2);
  EXPECT_EQ(cut.neighbour(1, {0, 0, 1}), 3);
  EXPECT_EQ(cut.neighbour(0, {-1, 0, 0}), 3);
  const auto moved = cut.between({{{0, 1, 6}, {0, 8}, {0, 3, 7}}});
  EXPECT_EQ(moved.coordinates(2), cut.coordinates(2));
  EXPECT_EQ(moved.owned(1), (Box{{0, 0, 0}, {1, 8, 3}}));
}

TEST(Decomposition, RefusesPlanesThatDoNotAscend) {
  for (const auto& wrong : {std::vector<int>{}, {0}, {1, 4}, {0, 3, 3, 4}, {0, 5, 4}}) {
    expect_part(usage_error([&] { Decomposition({{{0, 4}, wrong, {0, 4}}}, open); }), "along y");
  }
}

TEST(Decomposition, RefusesCutsThatDoNotFitTheJob) {
  const Planes planes{{{0, 8}, {0, 8}, {0, 2, 8}}};
  expect_part(usage_error([&] { decompose(planes, open, 4, 1); }), "parallel.cuts gives 1 x 1 x 2");
  expect_part(usage_error([&] { decompose(planes, open, 2, 3); }), "along z");
  EXPECT_EQ(decompose(planes, open, 2, 2).planes(), planes);
}

TEST(Decomposition, TellsItsImbalance) {
  EXPECT_DOUBLE_EQ(decompose({8, 8, 8}, open, 8, 1).imbalance(), 1.0);
  EXPECT_DOUBLE_EQ(decompose({3, 1, 1}, open, 2, 1).imbalance(), 2 / 1.5);
}

}  // namespace
}  // namespace halotherm::comm
