// SPDX-License-Identifier: MIT
#include "comm/partition/box.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

/// How often each cell of `whole` is covered by the boxes; every cell must be covered once.
void expect_partition(const Box& whole, const Box& core, const std::vector<Box>& slabs) {
  for (int k = whole.lower[2]; k < whole.upper[2]; ++k) {
    for (int j = whole.lower[1]; j < whole.upper[1]; ++j) {
      for (int i = whole.lower[0]; i < whole.upper[0]; ++i) {
        int covered = core.contains(i, j, k) ? 1 : 0;
        for (const auto& slab : slabs) covered += slab.contains(i, j, k) ? 1 : 0;
        ASSERT_EQ(covered, 1) << i << " " << j << " " << k;
      }
    }
  }
}

TEST(Box, CountsItsCells) {
  const Box box{{-1, 2, 3}, {4, 4, 7}};
  EXPECT_EQ(box.extent(0), 5);
  EXPECT_EQ(box.size(), 5 * 2 * 4);
  EXPECT_FALSE(box.empty());
  EXPECT_EQ((Box{{0, 0, 0}, {5, 0, 5}}).size(), 0);
  EXPECT_EQ((Box{{0, 0, 0}, {1 << 14, 1 << 14, 1 << 14}}).size(), std::int64_t{1} << 42);
}

TEST(Box, ShiftsGrowsIntersects) {
  const Box box{{0, 0, 0}, {4, 5, 6}};
  EXPECT_EQ(shifted(box, {1, -2, 0}), (Box{{1, -2, 0}, {5, 3, 6}}));
  EXPECT_EQ(grown(box, {1, 0, 0}, {0, 0, 2}), (Box{{-1, 0, 0}, {4, 5, 8}}));
  EXPECT_EQ(intersection(box, shifted(box, {3, 0, 0})), (Box{{3, 0, 0}, {4, 5, 6}}));
  EXPECT_TRUE(intersection(box, shifted(box, {4, 0, 0})).empty());
}

TEST(Box, DifferenceCoversEveryOtherCellOnce) {
  const Box whole{{0, 0, 0}, {5, 6, 7}};
  for (const Box& core : {Box{{1, 1, 1}, {4, 5, 6}}, Box{{0, 0, 1}, {5, 6, 7}},
                          Box{{0, 2, 0}, {5, 3, 7}}, whole, Box{{2, 2, 2}, {3, 3, 3}}}) {
    const auto slabs = difference(whole, core);
    EXPECT_LE(slabs.size(), 6U);
    expect_partition(whole, core, slabs);
  }
}

TEST(Box, DifferenceWithNothingIsTheWhole) {
  const Box whole{{0, 0, 0}, {5, 6, 7}};
  EXPECT_EQ(difference(whole, {{0, 0, 0}, {0, 0, 0}}), std::vector<Box>{whole});
  EXPECT_TRUE(difference({{0, 0, 0}, {0, 6, 7}}, {{0, 0, 0}, {0, 0, 0}}).empty());
}

TEST(Box, ReadsWell) {
  EXPECT_EQ(to_string(Box{{0, -1, 2}, {64, 3, 5}}), "[0, 64) x [-1, 3) x [2, 5)");
}

void expect_parts(const Box& block, std::int64_t limit) {
  std::int64_t offset = 0;
  if (!block.empty()) {
    EXPECT_EQ(first_part(block, limit), contiguous_parts(block, limit).front());
  }
  for (const auto& box : contiguous_parts(block, limit)) {
    EXPECT_LE(box.size(), limit);
    EXPECT_EQ(intersection(box, block), box);
    // contiguous: the first cell of the box follows the cells so far
    const std::int64_t place = (std::int64_t{box.lower[2] - block.lower[2]} * block.extent(1) +
                                box.lower[1] - block.lower[1]) *
                                   block.extent(0) +
                               box.lower[0] - block.lower[0];
    EXPECT_EQ(place, offset);
    offset += box.size();
  }
  EXPECT_EQ(offset, block.size());
}

TEST(Box, PartsAreContiguousAndSmallEnough) {
  const Box block{{2, -1, 5}, {9, 4, 11}};  // 7 x 5 x 6
  for (const std::int64_t limit : {1, 2, 6, 7, 8, 20, 34, 35, 36, 100, 210, 1000})
    expect_parts(block, limit);
  EXPECT_EQ(contiguous_parts(block, 210).size(), 1U);
  EXPECT_EQ(contiguous_parts(block, 35).size(), 6U);
  EXPECT_TRUE(contiguous_parts({}, 10).empty());
}

TEST(Box, BoxesBeyond2GiBAreDivided) {
  const Box huge{{0, 0, 0}, {2000000000, 3, 2}};
  EXPECT_EQ(contiguous_parts(huge, 8388608).size(), 6U * 239U);
  expect_parts(huge, 8388608);
}

}  // namespace
}  // namespace halotherm::comm
