// SPDX-License-Identifier: MIT
#include "solver/field/grid.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

Grid uneven_along_x(bool periodic) {
  Grid grid{.dimensions = 2, .cells = {4, 3, 1}, .lower = {0, 0, 0}, .upper = {10, 6, 1}};
  grid.faces[0] = std::make_shared<const std::vector<double>>(std::vector<double>{0, 1, 3, 6, 10});
  grid.periodic[0] = periodic;
  return grid;
}

TEST(Grid, GhostCellsAreAsWideAsTheCellsThatTheyMirrorOrRepeat) {
  const auto open = uneven_along_x(false), closed = uneven_along_x(true);
  EXPECT_FALSE(open.even());
  EXPECT_TRUE(open.even(1));
  const double mirrored[] = {2, 1, 1, 2, 3, 4, 4, 3}, repeated[] = {3, 4, 1, 2, 3, 4, 1, 2};
  for (int index = -2; index < 6; ++index) {
    EXPECT_EQ(open.width(0, index), mirrored[index + 2]);
    EXPECT_EQ(closed.width(0, index), repeated[index + 2]);
    EXPECT_EQ(open.width(1, index), 2);
  }
}

TEST(Grid, VolumesAreThoseOfTheDomain) {
  const auto grid = uneven_along_x(false);
  EXPECT_EQ(grid.largest_volume(), 4 * 2);
  EXPECT_EQ(grid.volume_in_cells() * grid.largest_volume(), 10 * 6);
  EXPECT_EQ(grid.shares(0), (std::vector{0.25, 0.5, 0.75, 1.0}));
  EXPECT_EQ(grid.shares(1), (std::vector{1.0, 1.0, 1.0}));
}

TEST(Grid, PlacesAreLinearBetweenCentres) {
  const auto open = uneven_along_x(false), closed = uneven_along_x(true);
  const double centres[] = {0.5, 2, 4.5, 8};
  for (int cell = 0; cell < 4; ++cell) {
    EXPECT_EQ(open.centre(0, cell), centres[cell]);
    EXPECT_EQ(open.place(0, centres[cell]), cell);
    EXPECT_EQ(closed.place(0, centres[cell]), cell);
  }
  EXPECT_DOUBLE_EQ(open.place(0, 1), 1.0 / 3);
  EXPECT_DOUBLE_EQ(open.place(0, 1.5), 2.0 / 3);
  EXPECT_DOUBLE_EQ(open.place(0, 0), -0.5);
  EXPECT_DOUBLE_EQ(open.place(0, 10), 3.5);
  EXPECT_DOUBLE_EQ(closed.place(0, 0), -0.5 / 2.5);
  EXPECT_DOUBLE_EQ(closed.place(0, 10), 3 + 2 / 2.5);
  EXPECT_DOUBLE_EQ(open.place(1, 3), 1);
}

TEST(Grid, CoarsenedKeepsFaces) {
  const auto coarse = uneven_along_x(false).coarsened({2, 3, 1});
  ASSERT_TRUE(coarse.has_value());
  EXPECT_EQ(*coarse->faces[0], (std::vector<double>{0, 3, 10}));
  EXPECT_EQ(coarse->width(0, 1), 7);
  EXPECT_EQ(coarse->width(1, 0), 6);
}

}  // namespace
}  // namespace halotherm::solver
