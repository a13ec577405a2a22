// SPDX-License-Identifier: MIT
#include "io/distribution/field_block.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

void expect_boxes(const comm::Box& block, std::int64_t limit) {
  std::int64_t offset = 0;
  for (const auto& box : contiguous_boxes(block, limit)) {
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

TEST(FieldBlock, boxes_are_contiguous_and_small_enough) {
  const comm::Box block{{2, -1, 5}, {9, 4, 11}};  // 7 x 5 x 6
  for (const std::int64_t limit : {1, 2, 6, 7, 8, 20, 34, 35, 36, 100, 210, 1000})
    expect_boxes(block, limit);
  EXPECT_EQ(contiguous_boxes(block, 210).size(), 1U);
  EXPECT_EQ(contiguous_boxes(block, 35).size(), 6U);
  EXPECT_TRUE(contiguous_boxes({}, 10).empty());
}

TEST(FieldBlock, a_block_beyond_2_GiB_is_divided) {
  const comm::Box huge{{0, 0, 0}, {2000000000, 3, 2}};
  EXPECT_EQ(contiguous_boxes(huge, 8388608).size(), 6U * 239U);
  expect_boxes(huge, 8388608);
}

TEST(FieldBlock, files_have_the_slowest_axis_first) {
  EXPECT_EQ((FieldAxes{3, {4, 5, 6}}.file_extents()), (std::vector<hsize_t>{6, 5, 4}));
  EXPECT_EQ((FieldAxes{2, {4, 5, 1}}.file_extents()), (std::vector<hsize_t>{5, 4}));
  EXPECT_EQ((FieldAxes{1, {4, 1, 1}}.file_extents()), (std::vector<hsize_t>{4}));
}

}  // namespace
}  // namespace halotherm::io
