// SPDX-License-Identifier: MIT
// Cells are joined across faces that conduct well beside those of the other axes.
#include "solver/multigrid/joining.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace halotherm::solver {
namespace {

/// Of cells that are equally wide along each axis.
Joining joining_of(const LevelGrid& grid, const std::array<double, 3>& conductivities) {
  std::array<AxisStrength, 3> strengths;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto cells = static_cast<std::size_t>(grid.cells[static_cast<int>(axis)]);
    strengths[axis] = {std::vector<double>(cells, 1.0), conductivities[axis]};
  }
  return joining_of(grid, strengths);
}

TEST(Joining, WeakAxesAreNotJoined) {
  const LevelGrid grid{3, {8, 1, 8}, {false, false, false}};
  const auto factors = [&](const std::array<double, 3>& conductivities) {
    const auto all = joining_of(grid, conductivities).coarsening.factors;
    return std::vector{all[0], all[1], all[2]};
  };
  EXPECT_EQ(factors({1, 9, 3}), (std::vector{2, 1, 2})) << "one cell along y";
  EXPECT_EQ(factors({1, 9, 5}), (std::vector{1, 1, 2}));
  EXPECT_EQ(factors({0, 0, 0}), (std::vector{2, 1, 2})) << "cells that nothing connects";
}

TEST(Joining, TheWeakestJoinedFaceHasAShare) {
  const LevelGrid grid{3, {8, 8, 8}, {false, false, false}};
  EXPECT_DOUBLE_EQ(joining_of(grid, {1, 1, 1}).share, 1 / 3.);
  EXPECT_DOUBLE_EQ(joining_of(grid, {1, 2, 1}).share, 1 / 4.);
  EXPECT_DOUBLE_EQ(joining_of(grid, {1, 5, 1}).share, 5 / 7.) << "one axis is joined";
}

std::vector<int> first_of(const Coarsening& coarsening, int axis) {
  std::vector<int> first;
  for (int n = 0; n < coarsening.coarse_cells(axis); ++n)
    first.push_back(children(coarsening, axis, n).first);
  first.push_back(children(coarsening, axis, coarsening.coarse_cells(axis) - 1).end);
  return first;
}

TEST(Joining, ThinCellsAreJoinedFirst) {
  const std::vector<double> widths{8, 4, 2, 1, 1, 1, 2, 4, 8};
  const LevelGrid grid{2, {9, 9, 1}, {false, false, false}};
  const auto coarsening =
      joining_of(grid, {AxisStrength{widths, 1}, {widths, 1}, {{1}, 0}}).coarsening;
  const std::vector<int> first{0, 1, 2, 3, 5, 7, 8, 9};
  EXPECT_EQ(first_of(coarsening, 0), first);
  EXPECT_EQ(first_of(coarsening, 1), first);
  EXPECT_EQ(coarsening.parent(0, 4), 3);
  EXPECT_EQ(coarsening.parent(0, 5), 4);
  EXPECT_TRUE((coarsening.joins(0) && !coarsening.joins(2)));
  // beside an axis that conducts no better, all cells may be joined
  const LevelGrid flat{2, {9, 4, 1}, {false, false, false}};
  EXPECT_TRUE((
      joining_of(flat, {AxisStrength{{1, 1, 1, 1, 1, 1, 1, 1, 1}, 1}, {{9, 8, 9, 9}, 30}, {{1}, 0}})
          .coarsening.factors[1] == 2));
}

TEST(Joining, RoundingOfWidthsDecidesNothing) {
  const double up = 2 * (1 + 4e-16), down = 2 * (1 - 4e-16);  // a fourth as well
  const LevelGrid grid{2, {5, 4, 1}, {false, false, false}};
  const auto coarsening =
      joining_of(grid, {AxisStrength{{2, up, down, up, 2}, 1}, {{1, 1, 1, 1}, 1}, {{1}, 0}})
          .coarsening;
  EXPECT_TRUE((coarsening.factors[0] == 2 && coarsening.factors[1] == 2));
}

TEST(Joining, NoPairsDivideTwoCellsThatHoldTogether) {
  const LevelGrid grid{1, {6, 1, 1}, {false, false, false}};
  const auto coarsening =
      joining_of(grid, {AxisStrength{{9, 9, 9, 1, 1, 9}, 1}, {{1}, 0}, {{1}, 0}}).coarsening;
  EXPECT_EQ(first_of(coarsening, 0), (std::vector{0, 2, 3, 5, 6}));
}

TEST(Joining, LevelsOfThinCellsHaveMoreCells) {
  const auto all = [](std::vector<double> widths) {
    return cells_of_all_levels({std::vector<double>(4, 1.0), std::move(widths), {1}});
  };
  EXPECT_DOUBLE_EQ(all({1, 1, 1, 1}), (16 + 4 + 1) / 16.);
  EXPECT_DOUBLE_EQ(all({1, 0.1, 0.1, 0.1, 1}), (20 + 12 + 4 + 1) / 20.) << "along y first";
}

}  // namespace
}  // namespace halotherm::solver
