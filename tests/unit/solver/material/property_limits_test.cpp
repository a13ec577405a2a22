// SPDX-License-Identifier: MIT
// Extremes of tables within ranges of temperatures, and the bounds of steps that follow from them.
#include "solver/material/property_limits.hpp"

#include "solver/equation/boundary.hpp"
#include "solver/equation/monotone_dt.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace halotherm::solver {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Extremes = std::pair<double, double>;

const PropertyTable jump{{300, 2}, {400, 6}, {400, 1}, {500, 3}};

TEST(PropertyLimits, AreThoseOfTheRangeWithItsEndsAndPoints) {
  EXPECT_EQ(extremes_within(jump, {310, 320}), Extremes(2.4, 2.8));
  EXPECT_EQ(extremes_within(jump, {100, 250}), Extremes(2, 2)) << "constant below the table";
  EXPECT_EQ(extremes_within(jump, {450, 600}), Extremes(2, 3));
  EXPECT_EQ(extremes_within(jump, {350, 450}), Extremes(1, 6)) << "both values of the jump";
  EXPECT_EQ(extremes_within(jump, {400, 400}), Extremes(1, 6));
  EXPECT_EQ(extremes_within(jump, {-infinity, infinity}), Extremes(1, 6));
}

template <class Real>
class MonotoneWithin : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(MonotoneWithin, Precisions);

TYPED_TEST(MonotoneWithin, TakesTheLargestKAndTheSmallestCapacityOfTheRanges) {
  const Grid grid{2, {6, 5, 1}, {0, 0, 0}, {0.6, 1, 1}};
  const comm::Box owned{{0, 0, 0}, grid.cells};
  const std::vector<MaterialTables> tables{{{{{300, 1}, {500, 5}}}, {{300, 40}, {500, 20}}},
                                           {{{{300, 2}}}, {{300, 100}}}};
  auto of_cell = std::vector<std::uint8_t>(static_cast<std::size_t>(8 * 7), 0);
  of_cell[3] = 1;
  const HeatEquation<TypeParam> equation(grid, owned, TabulatedMaterial{tables, of_cell, 0.0});
  PropertyLimits<TypeParam> limits(tables, equation.materials());
  const Boundary<TypeParam> boundary(owned, {});
  const double faces = 2 * (1 / 0.01 + 1 / 0.04);
  const auto dt = [&](const TemperatureRange& K, const TemperatureRange& c) {
    return monotone_dt(equation, boundary.view(), limits.within(K, c));
  };
  const double eps = std::numeric_limits<TypeParam>::epsilon();
  const auto near = [&](double found, double expected) {
    EXPECT_NEAR(found, expected, 8 * eps * expected);
  };
  near(dt({300, 350}, {300, 400}), 30 / (2 * faces));
  near(dt({300, 400}, {300, 300}), 40 / (3 * faces));
  near(dt({-infinity, infinity}, {-infinity, infinity}), 20 / (5 * faces));
  EXPECT_EQ(dt({-infinity, infinity}, {-infinity, infinity}),
            monotone_dt(equation, boundary.view()));
}

/// The cells of one material next to sides, each with conditions of its own, decide the bound;
/// where there may be several materials, all cells are looked at.
TYPED_TEST(MonotoneWithin, FindsTheStrictestCellOfOneMaterial) {
  const std::vector<MaterialTables> one{{{{{300, 1}, {500, 5}}}, {{300, 40}, {500, 20}}}},
      two{one[0], one[0]};
  int strict = 0;
  for (const comm::Int3 cells : {comm::Int3{7, 1, 1}, {2, 1, 1}, {6, 5, 1}, {4, 1, 1}, {5, 6, 4}}) {
    const int dimensions = cells[2] > 1 ? 3 : cells[1] > 1 ? 2 : 1;
    const Grid grid{dimensions, cells, {0, 0, 0}, {1, 1, 1}};
    const comm::Box owned{{0, 0, 0}, cells};
    const auto ghosts = grid.ghosts(1);
    const std::vector<std::uint8_t> all_first(
        static_cast<std::size_t>(comm::grown(owned, ghosts, ghosts).size()), 0);
    const HeatEquation<TypeParam> equation(grid, owned, TabulatedMaterial{one, {}, 0.0});
    const HeatEquation<TypeParam> general(grid, owned, TabulatedMaterial{two, all_first, 0.0});
    std::vector<Side> sides;
    for (int axis = 0; axis < dimensions; ++axis) sides.insert(sides.end(), {{axis, 0}, {axis, 1}});
    Boundary<TypeParam> boundary(owned, sides);
    for (std::size_t side = 0; side < sides.size(); ++side) {
      std::vector<AffineGhost> conditions(
          static_cast<std::size_t>(boundary.ghost_layer(owned, sides[side]).size()), {-0.25, 0});
      conditions[static_cast<std::size_t>(++strict * 5) % conditions.size()].alpha = -strict;
      boundary.set(side, conditions);
      EXPECT_EQ(monotone_dt(equation, boundary.view()), monotone_dt(general, boundary.view()))
          << comm::product_text(cells) << ", side " << side;
    }
  }
}

TYPED_TEST(MonotoneWithin, TakesTheLargestFactorOfK) {
  const Grid grid{1, {6, 1, 1}, {0, 0, 0}, {0.6, 1, 1}};
  const comm::Box owned{{0, 0, 0}, grid.cells};
  std::vector<MaterialTables> tables{{{{{300, 1}, {500, 5}}}, {{300, 40}}}};
  const auto dt = [&](const FactorRange& factor) {
    tables.front().conductivity_factor = factor;
    HeatEquation<TypeParam> equation(grid, owned, TabulatedMaterial{tables, {}, 0.0});
    PropertyLimits<TypeParam> limits(tables, equation.materials());
    const Boundary<TypeParam> boundary(owned, {});
    const auto whole = monotone_dt(equation, boundary.view());
    if (factor.largest != 1) equation.scale_conductivity(comm::Space(), 0, factor.least);
    EXPECT_EQ(monotone_dt(equation, boundary.view()), whole) << "whatever the factor is at present";
    EXPECT_EQ(equation.stable_dt(owned), whole);
    return std::pair(whole,
                     monotone_dt(equation, boundary.view(), limits.within({300, 400}, {300, 300})));
  };
  const auto plain = dt({}), scaled = dt({0.5, 4});
  EXPECT_EQ(scaled.first, plain.first / 4);
  EXPECT_EQ(scaled.second, plain.second / 4);
}

}  // namespace
}  // namespace halotherm::solver
