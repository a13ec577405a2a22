// SPDX-License-Identifier: MIT
// Temperatures at positions between cell centres, in every kind of place, on every number of ranks.
#include "app/output/sensors.hpp"

#include "app/domain/geometry.hpp"
#include "app/problem/problem.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <sstream>

namespace halotherm::app {
namespace {

constexpr double time = 0.3;

/// Smooth, without any symmetry, and the sides' values that it has. K is 2, and the surroundings'
/// coefficient 5.
struct Solution {
  const char* sides;
  std::function<double(double, double, double)> temperature;
};

/// Every kind of side, in space and time; the y axis closes on itself.
const Solution mixed{
    "{x-: {temperature: \"300 + 20*sin(2*pi*y)*cos(z) + t - 0.3\"}, "
    "x+: {flux: \"3*t/0.3\", convection: {coefficient: 5, ambient: \"(300 + "
    "20*sin(2*pi*y)*cos(z)*cos(1)) - 3/5 - "
    "2/5*20*sin(2*pi*y)*cos(z)*sin(1) + t - "
    "0.3\"}}, "
    "y: periodic, z-: {flux: 0}, "
    "z+: {flux: \"-2*20*sin(2*pi*y)*sin(1)*cos(x) * t/0.3\"}}",
    [](double x, double y, double z) {
      return 300 + 20 * std::sin(2 * M_PI * y) * std::cos(z) * std::cos(x);
    }};

/// Fixed all around, so that edges and corners are as well.
const Solution fixed{
    "{x: {temperature: \"300 + 20*sin(x + 2*y)*cos(z)\"}, y: {temperature: "
    "\"300 + 20*sin(x + "
    "2*y)*cos(z)\"}, "
    "z: {temperature: \"300 + 20*sin(x + 2*y)*cos(z)\"}}",
    [](double x, double y, double z) { return 300 + 20 * std::sin(x + 2 * y) * std::cos(z); }};

using Position = std::vector<double>;

std::vector<double> readings(const Solution& solution, int cells,
                             const std::vector<Position>& positions, int dimensions = 3) {
  const auto& world = test::world();
  std::ostringstream text;
  text.precision(17);
  const auto list = [&](auto value) {
    text << '[';
    for (int axis = 0; axis < dimensions; ++axis) text << (axis > 0 ? ", " : "") << value;
    text << ']';
  };
  text << "grid: {cells: ";
  list(cells);
  text << ", upper: ";
  list(1);
  text << "}\nmaterials: {solid: {conductivity: 2, density: 1, heat_capacity: 1}}\ninitial: "
          "{temperature: "
          "0}\ntime: {steps: 1}\nsides: "
       << solution.sides << "\noutput: {sensors: [";
  for (std::size_t n = 0; n < positions.size(); ++n) {
    text << (n > 0 ? ", " : "") << "{name: p" << n << ", at: [";
    for (std::size_t axis = 0; axis < positions[n].size(); ++axis)
      text << (axis > 0 ? ", " : "") << positions[n][axis];
    text << "]}";
  }
  text << "]}\n";
  const auto config = parse_config(text.str(), "test", {});
  const Domain<double> domain(world, config, make_partition(config, world.size()),
                              TransportChoice::staged, halo_settings_of(config));
  const Problem<double> problem(domain, config);
  auto field = domain.field("temperature");
  std::vector<double> values;
  const auto& grid = domain.grid;
  const auto& o = domain.owned;
  const auto centre = [&](int axis, int index) {
    return axis < dimensions ? grid.centre(axis, index) : 0.0;
  };
  for (int k = o.lower[2]; k < o.upper[2]; ++k)
    for (int j = o.lower[1]; j < o.upper[1]; ++j)
      for (int i = o.lower[0]; i < o.upper[0]; ++i)
        values.push_back(solution.temperature(centre(0, i), centre(1, j), centre(2, k)));
  solver::copy_from_host<double>(values, o, field);
  return Sensors<double>(world, config, problem.equation, o).values(field, time);
}

/// The largest error.
double error(const Solution& solution, int cells, const std::vector<Position>& positions) {
  const auto found = readings(solution, cells, positions);
  double largest = 0;
  for (std::size_t n = 0; n < positions.size(); ++n) {
    const auto& p = positions[n];
    largest = std::max(largest, std::abs(found[n] - solution.temperature(p[0], p[1], p[2])));
  }
  return largest;
}

/// Positions within half a cell of the finest grid's side `end` of these axes (bits), or well
/// inside.
std::vector<Position> scattered(int lower, int upper, double depth) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<Position> positions;
  for (int n = 0; n < 300; ++n) {
    Position position;
    for (int axis = 0; axis < 3; ++axis) {
      const double at = uniform(random);
      const bool low = (lower >> axis & 1) != 0, high = (upper >> axis & 1) != 0;
      position.push_back(low ? depth * at : high ? 1 - depth * at : 0.2 + 0.6 * at);
    }
    positions.push_back(position);
  }
  return positions;
}

/// Errors on two grids: the order of what is interpolated. `lower`, `upper`: axes (bits) at whose
/// sides the sensors are.
void expect_second_order(const Solution& solution, int lower, int upper) {
  const auto coarse = error(solution, 12, scattered(lower, upper, 0.5 / 12)),
             fine = error(solution, 24, scattered(lower, upper, 0.5 / 24));
  EXPECT_GT(fine, 0);
  EXPECT_GE(std::log2(coarse / fine), 1.95)
      << "sides " << lower << ' ' << upper << ": " << coarse << " K, " << fine << " K";
}

TEST(Sensors, AreOfSecondOrderInsideAndAtEveryKindOfSide) {
  expect_second_order(mixed, 0, 0);
  expect_second_order(mixed, 1, 0);  // fixed
  expect_second_order(mixed, 0, 1);  // convection
  expect_second_order(mixed, 2, 0);  // periodic
  expect_second_order(mixed, 4, 0);  // insulated
  expect_second_order(mixed, 0, 4);  // flux that changes with time
}

TEST(Sensors, AreOfSecondOrderAtEdgesAndCorners) {
  expect_second_order(mixed, 5, 0);  // fixed and insulated
  expect_second_order(mixed, 0, 5);  // convection and flux
  expect_second_order(mixed, 2, 1);  // periodic and convection
  expect_second_order(fixed, 3, 0);
  expect_second_order(fixed, 3, 4);
  expect_second_order(fixed, 0, 7);
}

TEST(Sensors, OnFixedSidesHaveTheirTemperature) {
  const std::vector<Position> on_sides{{0, 0.3, 0.4}, {1, 0.3, 0.4}, {0.3, 1, 0.2},
                                       {0, 0, 0.7},   {1, 0, 1},     {0, 0, 0}};
  const auto found = readings(fixed, 10, on_sides);
  for (std::size_t n = 0; n < on_sides.size(); ++n) {
    const auto& p = on_sides[n];
    EXPECT_NEAR(found[n], fixed.temperature(p[0], p[1], p[2]), 1e-12 * 300) << n;
  }
}

TEST(Sensors, AtCentresHaveTheCellsValue) {
  EXPECT_NEAR(readings(fixed, 10, {{0.05, 0.55, 0.95}})[0], fixed.temperature(0.05, 0.55, 0.95),
              1e-12 * 300);
}

TEST(Sensors, WorkOnGridsOfOneCellAndOfFewerAxes) {
  const Solution rod{"{x-: {temperature: 300}, x+: {temperature: 400}}",
                     [](double x, double, double) { return 300 + 100 * x; }};
  for (const int cells : {1, 2, 7}) {
    if (cells < test::world().size()) continue;
    const std::vector<double> positions{0, 0.1, 0.5, 0.9, 1};
    const auto found = readings(rod, cells, {{0}, {0.1}, {0.5}, {0.9}, {1}}, 1);
    for (std::size_t n = 0; n < found.size(); ++n)
      EXPECT_NEAR(found[n], 300 + 100 * positions[n], 1e-10);
  }
  const Solution ring{"{x: periodic}", [](double, double, double) { return 321.0; }};
  if (test::world().size() > 1) return;
  EXPECT_EQ(readings(ring, 1, {{0.9}}, 1)[0], 321);
}

TEST(Sensors, HaveTheSameBitsOnEveryRank) {
  const auto found = readings(mixed, 12, scattered(0, 0, 0));
  for (const double value : found) {
    EXPECT_EQ(test::world().max(value), value);
    EXPECT_EQ(test::world().min(value), value);
  }
}

}  // namespace
}  // namespace halotherm::app
