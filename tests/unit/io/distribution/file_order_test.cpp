// SPDX-License-Identifier: MIT
#include "io/distribution/file_order.hpp"

#include <gtest/gtest.h>

namespace halotherm::io {
namespace {

TEST(FileOrder, a_range_is_a_few_boxes_in_the_order_of_the_file) {
  for (const comm::Int3& extent : {comm::Int3{7, 5, 6}, {7, 5, 1}, {7, 1, 1}, {1, 5, 6}}) {
    const FileOrder order(extent);
    for (std::int64_t first = 0; first <= order.values(); ++first) {
      for (std::int64_t end = first; end <= order.values(); ++end) {
        std::int64_t place = first;
        const auto boxes = order.boxes({first, end});
        EXPECT_LE(boxes.size(), 5U);
        for (const auto& box : boxes) {
          EXPECT_EQ(order.span(box), (ValueRange{place, place + box.size()})) << "without gaps";
          place += box.size();
        }
        EXPECT_EQ(place, end);
      }
    }
  }
}

TEST(FileOrder, places_and_cells_are_inverse) {
  const FileOrder order({7, 5, 6});
  for (std::int64_t place = 0; place < order.values(); ++place) {
    const auto cell = order.cell(place);
    EXPECT_EQ(order.place(cell[0], cell[1], cell[2]), place);
  }
}

}  // namespace
}  // namespace halotherm::io
