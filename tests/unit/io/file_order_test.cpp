// SPDX-License-Identifier: MIT
#include "io/file_order.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

/// The boxes of the range, cell by cell, are the file's order.
void expect_in_order(const FileOrder& order, const ValueRange& range) {
  std::int64_t place = range.first;
  const auto boxes = order.boxes(range);
  EXPECT_LE(boxes.size(), 5U);
  for (const auto& box : boxes) {
    for (int k = box.lower[2]; k < box.upper[2]; ++k) {
      for (int j = box.lower[1]; j < box.upper[1]; ++j) {
        for (int i = box.lower[0]; i < box.upper[0]; ++i) ASSERT_EQ(order.place(i, j, k), place++);
      }
    }
  }
  EXPECT_EQ(place, range.end);
}

TEST(FileOrder, a_range_is_a_few_boxes_without_gaps) {
  for (const comm::Int3& extent : {comm::Int3{7, 5, 6}, {1, 5, 6}, {7, 1, 6}, {7, 5, 1}, {210, 1, 1}, {1, 1, 210}}) {
    const FileOrder order(extent);
    for (const std::int64_t length : {1, 2, 3, 7, 11, 20, 35, 36, 70, 100, 209, 210}) {
      for (std::int64_t first = 0; first < order.values(); first += length) {
        expect_in_order(order, {first, std::min(first + length, order.values())});
      }
    }
  }
}

TEST(FileOrder, runs_are_the_common_cells_and_counted_without_a_loop) {
  const FileOrder order({7, 5, 6});
  for (const comm::Box& box :
       {comm::Box{{0, 0, 0}, {7, 5, 6}}, {{2, 1, 3}, {5, 4, 5}}, {{6, 0, 0}, {7, 1, 6}}, {{0, 4, 5}, {7, 5, 6}}}) {
    for (std::int64_t first = 0; first <= order.values(); first += 3) {
      for (std::int64_t end = first; end <= order.values(); end += 5) {
        std::int64_t cells = 0, last = first;
        order.for_each_run(box, {first, end}, [&](std::int64_t place, int i, int j, int k, std::int64_t count) {
          EXPECT_EQ(place, order.place(i, j, k));
          EXPECT_GE(place, last);
          EXPECT_LE(box.lower[0], i);
          EXPECT_LE(i + count, box.upper[0]);
          EXPECT_EQ(order.cells_before(box, place) - order.cells_before(box, first), cells);
          last = place + count;
          cells += count;
        });
        EXPECT_LE(last, std::max(first, end));
        EXPECT_EQ(cells, order.cells_within(box, {first, end}));
      }
    }
    EXPECT_EQ(order.cells_within(box, order.span(box)), box.size());
    EXPECT_EQ(order.cells_within(box, {order.span(box).first + 1, order.span(box).end - 1}), box.size() - 2);
  }
}

}  // namespace
}  // namespace halotherm::io
