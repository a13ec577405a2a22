// SPDX-License-Identifier: MIT
#include "comm/partition/contiguous_parts.hpp"

#include <gtest/gtest.h>

namespace halotherm::comm {
namespace {

TEST(ContiguousParts, OfTheLargestGridAreNotListed) {
  const Box grid{{0, 0, 0}, {1 << 20, 1 << 20, 1 << 10}};  // 2^50 cells
  const ContiguousParts parts(grid, (1 << 20) - 1);
  EXPECT_EQ(parts.count(), std::int64_t{2} << 30);
  EXPECT_EQ(parts[0], (Box{{0, 0, 0}, {(1 << 20) - 1, 1, 1}}));
  EXPECT_EQ(parts[1], (Box{{(1 << 20) - 1, 0, 0}, {1 << 20, 1, 1}}));
  EXPECT_EQ(parts[parts.count() - 1],
            (Box{{(1 << 20) - 1, (1 << 20) - 1, (1 << 10) - 1}, {1 << 20, 1 << 20, 1 << 10}}));
  EXPECT_EQ(ContiguousParts({}, 10).count(), 0);
}

}  // namespace
}  // namespace halotherm::comm
