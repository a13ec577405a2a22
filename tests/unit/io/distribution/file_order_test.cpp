// SPDX-License-Identifier: MIT
#include "io/distribution/file_order.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

TEST(FileOrder, runs_are_the_common_cells_and_counted_without_a_loop) {
  const FileOrder order({7, 5, 6});
  for (const comm::Box& box : {comm::Box{{0, 0, 0}, {7, 5, 6}},
                               {{2, 1, 3}, {5, 4, 5}},
                               {{6, 0, 0}, {7, 1, 6}},
                               {{0, 4, 5}, {7, 5, 6}}}) {
    for (std::int64_t first = 0; first <= order.values(); first += 3) {
      for (std::int64_t end = first; end <= order.values(); end += 5) {
        std::int64_t cells = 0, last = first;
        order.for_each_run(
            box, {first, end}, [&](std::int64_t place, int i, int j, int k, std::int64_t count) {
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
    EXPECT_EQ(order.cells_within(box, {order.span(box).first + 1, order.span(box).end - 1}),
              box.size() - 2);
  }
}

}  // namespace
}  // namespace halotherm::io
