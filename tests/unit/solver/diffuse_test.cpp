// SPDX-License-Identifier: MIT
// The step against a plain loop on the host, to the last bit, for every kind of coefficient and dimension.
#include "solver/diffuse.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

struct Problem {
  Grid grid;
  comm::Box owned;
  comm::Int3 ghosts;
  std::vector<double> conductivity;  ///< on the grown block
  std::vector<double> capacity;
  std::vector<double> source;
  std::vector<double> temperature;

  comm::Box all() const { return comm::grown(owned, ghosts, ghosts); }
  std::size_t at(int i, int j, int k) const {
    const auto box = all();
    return static_cast<std::size_t>((i - box.lower[0]) + box.extent(0) * ((j - box.lower[1]) + box.extent(1) * (k - box.lower[2])));
  }
};

Problem make_problem(int dimensions) {
  Problem p;
  p.grid = {.dimensions = dimensions, .cells = {33, 1, 1}, .lower = {0, 0, 0}, .upper = {0.5, 1, 1}};
  if (dimensions > 1) p.grid.cells[1] = 19;
  if (dimensions > 2) p.grid.cells[2] = 11;
  p.owned = {{0, 0, 0}, p.grid.cells};
  p.ghosts = p.grid.ghosts(1);
  const auto cells = static_cast<std::size_t>(p.all().size());
  for (std::size_t n = 0; n < cells; ++n) {
    const auto x = static_cast<double>(n);
    p.conductivity.push_back(2 + std::sin(x));
    p.capacity.push_back(3 + std::cos(2 * x));
    p.source.push_back(10 * std::sin(3 * x));
    p.temperature.push_back(300 + 50 * std::sin(0.7 * x));
  }
  return p;
}

/// The same arithmetic in the same order, written as plainly as can be.
double reference(const Problem& p, bool varying, double dt, int i, int j, int k) {
  const auto T = [&](int a, int b, int c) { return p.temperature[p.at(a, b, c)]; };
  const auto mean = [&](double a, double b, double inverse_h2) { return (2 * (a * b) / (a + b)) * inverse_h2; };
  double sum = 0;
  for (int axis = 0; axis < p.grid.dimensions; ++axis) {
    const int d[3] = {axis == 0, axis == 1, axis == 2};
    const double h2 = p.grid.spacing(axis) * p.grid.spacing(axis);
    double below = 2.0 / h2;
    double above = 2.0 / h2;
    if (varying) {
      const double here = p.conductivity[p.at(i, j, k)];
      below = mean(p.conductivity[p.at(i - d[0], j - d[1], k - d[2])], here, 1 / h2);
      above = mean(here, p.conductivity[p.at(i + d[0], j + d[1], k + d[2])], 1 / h2);
    }
    const double flow =
        below * (T(i - d[0], j - d[1], k - d[2]) - T(i, j, k)) + above * (T(i + d[0], j + d[1], k + d[2]) - T(i, j, k));
    sum = axis == 0 ? flow : sum + flow;
  }
  const double inverse_capacity = varying ? 1 / p.capacity[p.at(i, j, k)] : 1 / 3.0;
  const double q = varying ? p.source[p.at(i, j, k)] : 5.0;
  return T(i, j, k) + (dt * inverse_capacity) * (sum + q);
}

class DiffuseIn : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(DiffuseIn, EqualsAPlainLoop) {
  const auto [dimensions, varying] = GetParam();
  const auto p = make_problem(dimensions);
  const auto material = varying ? Material{{p.conductivity}, p.capacity, p.source} : Material{{2.0}, 3.0, 5.0};
  const HeatEquation<double> equation(p.grid, p.owned, material);
  constexpr double dt = 1e-6;
  Field<double> now("now", p.owned, p.ghosts);
  Field<double> next("next", p.owned, p.ghosts);
  copy_from_host<double>(p.temperature, p.all(), now);
  diffuse(comm::Space(), comm::Region(std::span(&p.owned, 1)), equation, dt, std::as_const(now).view(), next.view());
  comm::Space().fence("test");
  std::vector<double> got(static_cast<std::size_t>(p.owned.size()));
  copy_to_host<double>(next, p.owned, got);
  std::size_t n = 0;
  for (int k = 0; k < p.grid.cells[2]; ++k) {
    for (int j = 0; j < p.grid.cells[1]; ++j) {
      for (int i = 0; i < p.grid.cells[0]; ++i)
        ASSERT_EQ(got[n++], reference(p, varying, dt, i, j, k)) << i << " " << j << " " << k;
    }
  }
}

/// The interior's and the shell's kernels must round alike: every cut into regions gives the same field.
TEST_P(DiffuseIn, DoesNotDependOnTheRegion) {
  const auto [dimensions, varying] = GetParam();
  const auto p = make_problem(dimensions);
  const auto material = varying ? Material{{p.conductivity}, p.capacity, p.source} : Material{{2.0}, 3.0, 5.0};
  const HeatEquation<double> equation(p.grid, p.owned, material);
  Field<double> now("now", p.owned, p.ghosts);
  Field<double> whole("whole", p.owned, p.ghosts);
  Field<double> pieces("pieces", p.owned, p.ghosts);
  copy_from_host<double>(p.temperature, p.all(), now);
  const auto core = comm::grown(p.owned, {-1, -p.ghosts[1], -p.ghosts[2]}, {-1, -p.ghosts[1], -p.ghosts[2]});
  const auto step = [&](const comm::Region& region, Field<double>& next) {
    diffuse(comm::Space(), region, equation, 1e-6, std::as_const(now).view(), next.view());
  };
  step(comm::Region(std::span(&p.owned, 1)), whole);
  step(comm::Region(std::span(&core, 1)), pieces);
  step(comm::Region(comm::difference(p.owned, core)), pieces);
  comm::Space().fence("test");
  std::vector<double> a(static_cast<std::size_t>(p.owned.size()));
  auto b = a;
  copy_to_host<double>(whole, p.owned, a);
  copy_to_host<double>(pieces, p.owned, b);
  EXPECT_EQ(a, b);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, DiffuseIn, testing::Combine(testing::Values(1, 2, 3), testing::Bool()));

}  // namespace
}  // namespace halotherm::solver
