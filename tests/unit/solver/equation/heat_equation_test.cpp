// SPDX-License-Identifier: MIT
#include "solver/equation/boundary.hpp"
#include "solver/equation/monotone_dt.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

Grid cube(int dimensions, int cells) {
  Grid grid{.dimensions = dimensions, .cells = {1, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  for (int axis = 0; axis < dimensions; ++axis) {
    grid.cells[axis] = cells;
    grid.upper[static_cast<std::size_t>(axis)] = 0.01 * cells;
  }
  return grid;
}

template <class Real>
double bound(const Grid& grid, const Material& material) {
  const comm::Box whole{{0, 0, 0}, grid.cells};
  return HeatEquation<Real>(grid, whole, material).stable_dt(whole);
}

/// As many values as a block of the whole grid with ghosts has, from a function of the x index.
template <class Value>
std::vector<double> along_x(const Grid& grid, const Value& value) {
  const auto ghosts = grid.ghosts(1);
  const auto box = comm::grown({{0, 0, 0}, grid.cells}, ghosts, ghosts);
  std::vector<double> values;
  for (std::int64_t row = 0; row < box.size() / box.extent(0); ++row) {
    for (int i = box.lower[0]; i < box.upper[0]; ++i) values.push_back(value(i));
  }
  return values;
}

TEST(StableDt, IsTheTextbookBoundWhereCoefficientsAreConstant) {
  constexpr double k = 401;
  constexpr double capacity = 8960.0 * 385;
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    const double expected = 0.01 * 0.01 * capacity / (2 * dimensions * k);
    EXPECT_NEAR(bound<double>(cube(dimensions, 8), {{k}, capacity, 0.0}), expected,
                1e-12 * expected);
    EXPECT_NEAR(bound<float>(cube(dimensions, 8), {{k}, capacity, 0.0}), expected, 1e-5 * expected);
  }
}

TEST(StableDt, AddsUpTheAxes) {
  auto grid = cube(3, 8);
  grid.upper[1] = 0.16;  // 2 cm cells along y
  const double rate = 2 * (10 / 1e-4 + 20 / 4e-4 + 30 / 1e-4) / 5;
  EXPECT_NEAR(bound<double>(grid, {{10.0, 20.0, 30.0}, 5.0, 0.0}), 1 / rate, 1e-12 / rate);
}

TEST(StableDt, VaryingCoefficientsGiveTheirWorstCell) {
  const auto grid = cube(2, 10);
  // a good conductor of small capacity in one column: its faces are harmonic means with the poor
  // conductors beside it
  const Material material{{along_x(grid, [](int i) { return i == 4 ? 400.0 : 1.0; })},
                          along_x(grid, [](int i) { return i == 4 ? 2.0 : 3.0; }),
                          0.0};
  const double side = 2 * 400.0 * 1.0 / 401.0;
  const double rate = (2 * side + 2 * 400.0) / 1e-4 / 2.0;
  EXPECT_NEAR(bound<double>(grid, material), 1 / rate, 1e-12 / rate);
}

TEST(StableDt, AFieldOfOneValueGivesTheConstantsBound) {
  const auto grid = cube(3, 6);
  const auto field = [&](double value) { return along_x(grid, [&](int) { return value; }); };
  const double constant = bound<double>(grid, {{2.5}, 4.0, 0.0});
  EXPECT_NEAR(bound<double>(grid, {{field(2.5)}, field(4.0), field(0.0)}), constant,
              1e-12 * constant);
}

/// With these conditions at both sides of every axis.
template <class Real>
double monotone_bound(const Grid& grid, const Material& material, const AffineGhost& condition) {
  const comm::Box whole{{0, 0, 0}, grid.cells};
  std::vector<Side> ends;
  for (int axis = 0; axis < grid.dimensions; ++axis)
    ends.insert(ends.end(), {{axis, 0}, {axis, 1}});
  Boundary<Real> boundary(whole, ends);
  for (std::size_t side = 0; side < ends.size(); ++side)
    boundary.set(side, std::span(&condition, 1));
  return monotone_dt(HeatEquation<Real>(grid, whole, material), boundary.view());
}

TEST(MonotoneDt, CountsFixedSidesTwice) {
  for (int dimensions = 1; dimensions <= 3; ++dimensions) {
    const Material material{{2.0}, 3.0, 0.0};
    const double stable = bound<double>(cube(dimensions, 8), material);
    EXPECT_DOUBLE_EQ(monotone_bound<double>(cube(dimensions, 8), material, dirichlet(300)),
                     stable * 2 / 3);
    EXPECT_EQ(monotone_bound<double>(cube(dimensions, 8), material, ghost_of({.flux = 7}, 2, 0.01)),
              stable);
    EXPECT_DOUBLE_EQ(monotone_bound<double>(cube(dimensions, 1), material, dirichlet(300)),
                     stable / 2)
        << "sides all around";
  }
}

TEST(MonotoneDt, CountsConvectionAsItCouples) {
  const Material material{{2.0}, 3.0, 0.0};
  const double stable = bound<double>(cube(1, 8), material);
  const auto strong = ghost_of({.coefficient = 1e9, .ambient = 300}, 2, 0.01),
             weak = ghost_of({.coefficient = 1e-9, .ambient = 300}, 2, 0.01);
  EXPECT_NEAR(monotone_bound<double>(cube(1, 8), material, strong), stable * 2 / 3, 1e-5 * stable);
  EXPECT_EQ(monotone_bound<double>(cube(1, 8), material, weak), stable);
  const double half_fixed = 3.0 * 1e-4 / 2 / (1 + 1.5);  // alpha = -1/2
  EXPECT_NEAR(monotone_bound<double>(cube(1, 8), material, {-0.5, 0}), half_fixed,
              1e-12 * half_fixed);
  EXPECT_NEAR(monotone_bound<float>(cube(1, 8), material, {-0.5, 0}), half_fixed,
              1e-6 * half_fixed);
}

TEST(MonotoneDt, LooksAtTheCellsAtSidesWhereConductivityVaries) {
  const auto grid = cube(1, 10);
  // a good conductor at the side, whose inner face is a poor one
  const Material material{{along_x(grid, [](int i) { return i <= 0 ? 400.0 : 1.0; })}, 1.0, 0.0};
  const double inner = 2 * 400.0 / 401.0;
  EXPECT_NEAR(monotone_bound<double>(grid, material, dirichlet(0)), 1e-4 / (2 * 400.0 + inner),
              1e-16);
}

TEST(HeatEquation, StatesItsPrice) {
  const auto grid = cube(3, 6);
  const comm::Box whole{{0, 0, 0}, grid.cells};
  auto field = along_x(grid, [](int) { return 1.0; });
  const auto bytes_of = [&](const Material& material) {
    return HeatEquation<double>(grid, whole, material).bytes_per_cell();
  };
  EXPECT_EQ(bytes_of({{1.0}, 1.0, 0.0}), 16);
  EXPECT_EQ(HeatEquation<float>(grid, whole, Material{{1.0}, 1.0, 0.0}).bytes_per_cell(), 8);
  EXPECT_EQ(bytes_of({{field, 1.0, 1.0}, field, field}), 16 + 1) << "one kind of cells";
  for (std::size_t n = 0; n < field.size(); ++n) field[n] += static_cast<double>(n);
  ASSERT_GT(field.size(), most_kinds);
  EXPECT_EQ(bytes_of({{field}, 1.0, 0.0}), 24);
  EXPECT_EQ(bytes_of({{field, 1.0, 1.0}, field, field}), 16 + 8 * 5);
}

}  // namespace
}  // namespace halotherm::solver
