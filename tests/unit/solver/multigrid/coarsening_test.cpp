// SPDX-License-Identifier: MIT
// Coarse cells and their fine ones.
#include "solver/multigrid/coarsening.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

TEST(Coarsening, ParentsGoOnBeyondPeriodicSides) {
  const Coarsening even{{1, {6, 1, 1}, {true, false, false}}, {2, 1, 1}};
  EXPECT_EQ(even.parent_beyond(0, -2), -1);
  EXPECT_EQ(even.parent_beyond(0, -1), -1);
  EXPECT_EQ(even.parent_beyond(0, 5), 2);
  EXPECT_EQ(even.parent_beyond(0, 6), 3);
  const Coarsening odd{{1, {5, 1, 1}, {true, false, false}}, {2, 1, 1}};
  EXPECT_EQ(odd.parent_beyond(0, -2), -2) << "the last coarse cell has one";
  EXPECT_EQ(odd.parent_beyond(0, -1), -1);
  EXPECT_EQ(odd.parent_beyond(0, 5), 3);
  EXPECT_EQ(odd.parent_beyond(0, 7), 4);
}

}  // namespace
}  // namespace halotherm::solver
