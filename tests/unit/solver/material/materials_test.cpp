// SPDX-License-Identifier: MIT
// Steps with properties that depend on the temperature: against a plain loop, the heat content, and
// exact solutions.
#include "solver/material/materials.hpp"

#include "solver/diagnostics/diagnostics.hpp"
#include "solver/kernels/apply.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace halotherm::solver {
namespace {

const PropertyTable one{{1, 1}};

Grid grid_of(int dimensions, const comm::Int3& cells, double length = 1) {
  Grid grid{.dimensions = dimensions, .cells = cells, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  grid.upper[0] = length;
  return grid;
}

/// A block of its own, with two fields.
class Bar {
 public:
  Bar(const Grid& grid, const TabulatedMaterial& material, std::vector<Side> sides,
      const std::vector<double>& T)
      : owned_{{0, 0, 0}, grid.cells},
        equation_(grid, owned_, material),
        boundary_(owned_, std::move(sides)),
        now_("now", owned_, grid.ghosts(1)),
        next_("next", owned_, grid.ghosts(1)) {
    copy_from_host<double>(T, owned_, now_);
  }

  HeatEquation<double>& equation() { return equation_; }
  Boundary<double>& boundary() { return boundary_; }

  void step(double dt) {
    work(EulerStep<double>{equation_, boundary_, dt});
    swap(now_, next_);
  }
  template <class Operator>
  void work(const Operator& op) {
    apply(comm::Space(), comm::Region(owned_), op, std::as_const(now_).view(), next_.view());
    comm::Space().fence("test");
  }
  std::vector<double> T() const { return values(now_); }
  std::vector<double> result() const { return values(next_); }
  /// The sum of the cells' heat per volume [J/m³].
  double heat() const {
    const AccumulatorScales scales =
        AccumulatorScales::for_capacity(equation_.largest_capacity(owned_));
    return accumulate(now_, now_, {equation_.heat_content(), scales}).heat.value(scales.heat);
  }

 private:
  std::vector<double> values(const Field<double>& field) const {
    std::vector<double> result(static_cast<std::size_t>(owned_.size()));
    copy_to_host<double>(field, owned_, result);
    return result;
  }
  comm::Box owned_;
  HeatEquation<double> equation_;
  Boundary<double> boundary_;
  Field<double> now_, next_;
};

std::vector<Side> all_sides(int dimensions) {
  std::vector<Side> sides;
  for (int axis = 0; axis < dimensions; ++axis) {
    sides.push_back({axis, 0});
    sides.push_back({axis, 1});
  }
  return sides;
}

const MaterialTables soft{{{{300, 2}, {400, 3}}}, {{300, 5}, {350, 6}, {350, 9}, {360, 7}}};
const MaterialTables hard{{{{300, 30}, {400, 10}}, {{350, 25}}, {{280, 8}, {420, 12}}}, {{0, 4}}};

double plain_value(const PropertyTable& table, double T) {
  double value = T < table.front().temperature ? table.front().value : table.back().value;
  for (std::size_t n = 0; n + 1 < table.size(); ++n) {
    const auto &a = table[n], &b = table[n + 1];
    if (a.temperature <= T && T < b.temperature)
      value = a.value + (b.value - a.value) / (b.temperature - a.temperature) * (T - a.temperature);
  }
  return value;
}

/// Two materials in blocks, sides at 310 (lower) and insulated (upper).
struct TwoMaterials {
  Grid grid;
  std::vector<double> T;

  explicit TwoMaterials(int dimensions)
      : grid(grid_of(dimensions, {37, dimensions > 1 ? 19 : 1, dimensions > 2 ? 11 : 1})) {
    for (int n = 0; n < 37 * grid.cells[1] * grid.cells[2]; ++n)
      T.push_back(350 + 45 * std::sin(0.7 * n));
  }
  static const MaterialTables& tables(int n) { return n == 0 ? soft : hard; }
  std::uint8_t material(const comm::Int3& cell) const {
    int sum = 0;
    for (const int axis : {0, 1, 2})
      sum += std::clamp(cell[axis], 0, grid.cells[axis] - 1) / (5 - axis);
    return static_cast<std::uint8_t>(sum % 2);
  }
  double at(const comm::Int3& cell) const {
    return T[static_cast<std::size_t>(cell[0] +
                                      grid.cells[0] * (cell[1] + grid.cells[1] * cell[2]))];
  }
  TabulatedMaterial coefficients() const {
    TabulatedMaterial result{{soft, hard}, {}, 11.0};
    const auto ghosts = grid.ghosts(1);
    const auto all = comm::grown({{0, 0, 0}, grid.cells}, ghosts, ghosts);
    for (int k = all.lower[2]; k < all.upper[2]; ++k) {
      for (int j = all.lower[1]; j < all.upper[1]; ++j) {
        for (int i = all.lower[0]; i < all.upper[0]; ++i)
          result.of_cell.push_back(material({i, j, k}));
      }
    }
    return result;
  }

  /// div(K grad T) + q of a cell, as plainly as can be.
  double heating(const comm::Int3& here) const {
    const auto K_of = [](const MaterialTables& m, int axis, double temperature) {
      const auto& tables = m.conductivity;
      return plain_value(tables[tables.size() == 1 ? 0 : static_cast<std::size_t>(axis)],
                         temperature);
    };
    const auto& mine = tables(material(here));
    double sum = 11;
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      for (const int way : {-1, 1}) {
        auto there = here;
        there[axis] += way;
        const bool outside = there[axis] < 0 || there[axis] >= grid.cells[axis];
        const double beyond = way < 0 ? 2 * 310 - at(here) : at(here);
        const double T_there = outside ? beyond : at(there);
        const auto& other = tables(material(there));
        const double a = K_of(mine, axis, at(here)), b = K_of(other, axis, T_there);
        const double K = &mine == &other ? (a + b) / 2 : 2 * a * b / (a + b);
        sum += K / (grid.spacing(axis) * grid.spacing(axis)) * (T_there - at(here));
      }
    }
    return sum;
  }
};

/// The heat between two temperatures, by many small pieces [J/m³].
double heat_between(const PropertyTable& capacity, double from, double to) {
  constexpr int pieces = 20000;
  double sum = 0;
  for (int p = 0; p < pieces; ++p)
    sum += plain_value(capacity, from + (p + 0.5) / pieces * (to - from)) * (to - from) / pieces;
  return sum;
}

class MaterialsIn : public testing::TestWithParam<int> {};

TEST_P(MaterialsIn, AStepAddsTheFlowsToTheHeatContent) {
  const TwoMaterials problem(GetParam());
  const auto& cells = problem.grid.cells;
  Bar bar(problem.grid, problem.coefficients(), all_sides(GetParam()), problem.T);
  for (std::size_t side = 0; side < bar.boundary().sides().size(); ++side)
    bar.boundary().set(side, std::vector{side % 2 == 0 ? dirichlet(310) : ghost_of({}, 1, 1)});
  const double dt = 0.5 * bar.equation().stable_dt({{0, 0, 0}, cells});
  bar.step(dt);
  const auto got = bar.T();
  for (int n = 0; n < static_cast<int>(got.size()); n += GetParam() == 3 ? 7 : 1) {
    const comm::Int3 cell{n % cells[0], n / cells[0] % cells[1], n / cells[0] / cells[1]};
    const double expected = dt * problem.heating(cell);
    const auto& capacity = problem.tables(problem.material(cell)).volumetric_heat_capacity;
    const double stored =
        heat_between(capacity, problem.at(cell), got[static_cast<std::size_t>(n)]);
    ASSERT_NEAR(stored, expected, 1e-3 * std::max(1.0, std::abs(expected))) << n;
  }
}
INSTANTIATE_TEST_SUITE_P(Dimensions, MaterialsIn, testing::Values(1, 2, 3));

struct MissingHeat {
  MaterialsView<double> all;
  int material;
  double content;
  KOKKOS_INLINE_FUNCTION void operator()(int n, double& largest) const {
    const double T = 280 + 0.01 * n, to = all.heated(material, T, content);
    const double got = all.materials[material].heat_capacity.integral_between(T, to);
    largest = Kokkos::max(largest, Kokkos::abs(got - content));
  }
};

TEST(Materials, WhatACellTakesUpIsItsHeatToRounding) {
  const Materials<double> all({soft, hard}, {}, {}, {{0, 0, 0}, {1, 1, 1}}, {0, 0, 0});
  for (const double content : {0.0, 1e-3, -0.02, 0.3, -1.0, 40.0}) {
    double largest[2];
    for (const int m : {0, 1})
      Kokkos::parallel_reduce("heated", 14000, MissingHeat{all.view(), m, content},
                              Kokkos::Max<double>(largest[m]));
    EXPECT_LT(std::max(largest[0], largest[1]), 3e-12) << content;
  }
}

TEST(Materials, APropertyWithoutSlopeGivesTheConstantMediumsAnswer) {
  const auto grid = grid_of(2, {33, 20, 1});
  const comm::Box owned{{0, 0, 0}, grid.cells};
  std::vector<double> T;
  for (int n = 0; n < owned.size(); ++n) T.push_back(350 + 45 * std::sin(0.7 * n));
  Bar bar(grid, {{{{{{300, 2}}}, {{100, 3}}}}, {}, 5.0}, all_sides(2), T);
  const HeatEquation<double> constant(grid, owned, Material{{2.0}, 3.0, 5.0});
  Field<double> now("now", owned, grid.ghosts(1)), next("next", owned, grid.ghosts(1));
  copy_from_host<double>(T, owned, now);
  for (std::size_t side = 0; side < 4; ++side)
    bar.boundary().set(side, std::vector{dirichlet(310)});
  EXPECT_DOUBLE_EQ(bar.equation().stable_dt(owned), constant.stable_dt(owned));
  const double dt = constant.stable_dt(owned);
  apply(comm::Space(), comm::Region(owned), EulerStep<double>{constant, bar.boundary(), dt},
        std::as_const(now).view(), next.view());
  comm::Space().fence("test");
  bar.step(dt);
  std::vector<double> expected(T.size());
  copy_to_host<double>(next, owned, expected);
  const auto got = bar.T();
  for (std::size_t n = 0; n < T.size(); ++n) ASSERT_NEAR(got[n], expected[n], 1e-11);
}

TEST(Materials, InsulatedHeatContentIsConservedThroughMelting) {
  const auto grid = grid_of(3, {16, 12, 10});
  std::vector<double> T;
  for (int n = 0; n < 16 * 12 * 10; ++n) T.push_back(n % 16 < 8 ? 280 : 330);
  const MaterialTables wax{{{{290, 0.4}, {310, 0.2}}}, with_latent_heat({{0, 1.8}}, 180, 300, 303)};
  Bar bar(grid, {{wax}, {}, 0.0}, all_sides(3), T);
  for (std::size_t side = 0; side < 6; ++side)
    bar.boundary().set(side, std::vector{ghost_of({}, 1, 1)});
  const double before = bar.heat();
  const double dt = 0.9 * bar.equation().stable_dt({{0, 0, 0}, grid.cells});
  for (int step = 0; step < 400; ++step) bar.step(dt);
  EXPECT_NEAR(bar.heat(), before, 1e-11 * before);
  const auto end = bar.T();
  EXPECT_GE(*std::ranges::min_element(end), 280);
  EXPECT_LE(*std::ranges::max_element(end), 330);
  EXPECT_GT(end[7], 300) << "melting has begun";
  EXPECT_LT(end[7], 303);
}

TEST(Materials, KLinearInTIsExactInOneDimension) {
  // Kirchhoff's transform: a + b/2 T² is linear in x
  const auto grid = grid_of(1, {40, 1, 1});
  std::vector<double> T;
  const auto theta = [](double t) { return t + 0.01 * t * t / 2; };
  for (int i = 0; i < 40; ++i) {
    const double target = theta(10) + grid.centre(0, i) * (theta(200) - theta(10));
    T.push_back((-1 + std::sqrt(1 + 0.02 * target)) / 0.01);
  }
  Bar bar(grid, {{{{{{0, 1}, {1000, 11}}}, one}}, {}, 0.0}, {}, T);
  bar.work(Residual<double>{bar.equation(), bar.boundary()});
  const auto residual = bar.result();
  for (std::size_t i = 1; i + 1 < 40; ++i) EXPECT_NEAR(residual[i], 0, 1e-7);
}

/// The error of a moving melting front against Neumann's solution, aluminium of cases.md 18: the
/// largest of the temperatures at 5 and 10 mm after 1 and 3 s [K].
double stefan_error(int cells, double range) {
  const double length = 0.04;
  const auto grid = grid_of(1, {cells, 1, 1}, length);
  const MaterialTables aluminium{
      {{{660 - range, 210}, {660 + range, 95}}},
      with_latent_heat({{660, 3e6}, {660, 2.58e6}}, 1.08048e9, 660 - range, 660 + range)};
  const std::vector<double> T(static_cast<std::size_t>(cells), 740.0);
  Bar bar(grid, {{aluminium}, {}, 0.0}, all_sides(1), T);
  bar.boundary().set(0, std::vector{dirichlet(580)});
  bar.boundary().set(1, std::vector{dirichlet(740)});
  const double dt_most = 0.6 * bar.equation().stable_dt({{0, 0, 0}, grid.cells});
  double error = 0, time = 0;
  for (const auto& [end, at_5, at_10] : {std::tuple{1.0, 664.63, 707.18}, {3.0, 631.31, 672.58}}) {
    const int steps = static_cast<int>(std::ceil((end - time) / dt_most));
    for (int step = 0; step < steps; ++step) bar.step((end - time) / steps);
    time = end;
    const auto now = bar.T();
    const auto at = [&](double x) {
      const double place = x / length * cells - 0.5;
      const auto n = static_cast<std::size_t>(place);
      return now[n] + (place - static_cast<double>(n)) * (now[n + 1] - now[n]);
    };
    error = std::max({error, std::abs(at(0.005) - at_5), std::abs(at(0.010) - at_10)});
  }
  return error;
}

TEST(Materials, AMeltingFrontFollowsNeumannsSolution) {
  // the far side at 740 does not matter within 3 s: 40 mm
  EXPECT_LT(stefan_error(400, 0.5), 0.6);
}

}  // namespace
}  // namespace halotherm::solver
