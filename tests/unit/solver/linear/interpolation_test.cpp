// SPDX-License-Identifier: MIT
// Corrections are linear between the centres of coarse cells, and towards sides.
#include "solver/linear/interpolation.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// A line of cells of these widths with K = 1, and what its sides conduct beside half a cell.
struct Case {
  Case(std::vector<double> widths, double first, double last, bool periodic = false)
      : grid{1, {static_cast<int>(widths.size()), 1, 1}, {periodic, false, false}},
        coarsening{grid, {2, 1, 1}} {
    along.area = std::move(widths);
    along.conductivity = 1;
    along.face.push_back(periodic ? 2 / (along.area.front() + along.area.back()) : first);
    for (std::size_t n = 1; n < along.area.size(); ++n)
      along.face.push_back(2 / (along.area[n - 1] + along.area[n]));
    along.face.push_back(periodic ? along.face.front() : last);
  }
  std::vector<AxisWeights> weights(double factor = 1) const {
    const AxisFactors none{{0, 0}, {1}, 0};
    const SeparableMatrix fine(grid, {along, none, none}, 0);
    return Interpolation(coarsening, fine, coarsened(coarsening, fine), factor).along(0);
  }
  LevelGrid grid;
  Coarsening coarsening;
  AxisFactors along;
};

TEST(Interpolation, ALineStaysALine) {
  const Case uneven({1, 0.5, 0.25, 1, 1, 0.25, 0.5}, 0, 0);
  const auto weights = uneven.weights();
  const auto coarse_centre = [](int cell) {
    return std::vector<double>{0.75, 2.125, 3.375, 4.25}[static_cast<std::size_t>(cell)];
  };
  const std::vector<double> fine_centres{0.5, 1.25, 1.625, 2.25, 3.25, 3.875, 4.25};
  for (std::size_t n = 1; n < 7; ++n) {
    const auto& weight = weights[n];
    EXPECT_NEAR(static_cast<double>(weight.own) * coarse_centre(weight.parent) +
                    static_cast<double>(weight.other) * coarse_centre(weight.beyond),
                fine_centres[n], 1e-6)
        << n;
  }
  EXPECT_EQ(weights[6].own, 1) << "a cell that stays alone";
}

TEST(Interpolation, TheFaceFollowsFromTheConductanceOfItsSide) {
  const auto first = [](double side) { return Case({1, 1, 1, 1}, side, 0).weights()[0].own; };
  EXPECT_FLOAT_EQ(first(0), 1) << "insulated: the cell's own";
  EXPECT_FLOAT_EQ(first(2), 0.5) << "fixed: a line to 0 at the face";
  // half of the resistance beyond the face: 1/2 fine, so 1 of a coarse cell's half and 1/2
  EXPECT_FLOAT_EQ(first(1), 0.5F * (1 + 1 / 3.F));
}

TEST(Interpolation, BeyondAPeriodicSideLieGhostCells) {
  const auto weights = Case({1, 1, 1, 1}, 0, 0, true).weights();
  EXPECT_EQ(weights[0].beyond, -1);
  EXPECT_EQ(weights[3].beyond, 2);
  EXPECT_FLOAT_EQ(weights[0].other, 0.25F);
}

TEST(Interpolation, AllIsMultipliedByTheFactor) {
  const auto weights = Case({1, 1, 1, 1}, 0, 0).weights(1.5);
  EXPECT_FLOAT_EQ(weights[1].own, 1.125F);
  EXPECT_FLOAT_EQ(weights[1].other, 0.375F);
}

}  // namespace
}  // namespace halotherm::solver
