// SPDX-License-Identifier: MIT
#include "solver/equation/temperature_bounds.hpp"

#include "app/problem/quantity_bounds.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace halotherm::app {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_range(const solver::TemperatureBounds& bounds, double lowest, double highest) {
  EXPECT_EQ(bounds.lowest(), lowest);
  EXPECT_EQ(bounds.highest(), highest);
}

solver::TemperatureBounds of_flows(const solver::HeatFlows& flows) {
  solver::TemperatureBounds bounds(300, 310);
  bounds.include_flows(flows);
  return bounds;
}

/// From 0 to 2 m.
Config domain() {
  Config config;
  config.grid.cells = {4};
  config.grid.lower = {0};
  config.grid.upper = {2};
  return config;
}

/// Of a source that changes with time.
solver::TemperatureBounds of_source(const Quantity& quantity) {
  auto bounds = bounds_of_sources(domain(), 0.0, {{0, "source", quantity}});
  bounds.include(300);
  return bounds;
}

TEST(TemperatureBoundsOf, HoldNothingAtFirst) {
  expect_range({}, infinity, -infinity);
}

TEST(TemperatureBoundsOf, GrowWithWhatIsIncluded) {
  solver::TemperatureBounds bounds;
  bounds.include(300);
  expect_range(bounds, 300, 300);
  bounds.include({290, 295});
  expect_range(bounds, 290, 300);
  bounds.include(solver::TemperatureBounds());
  expect_range(bounds, 290, 300);
}

TEST(TemperatureBoundsOf, AFluxEndsOneBound) {
  expect_range(of_flows({}), 300, 310);
  expect_range(of_flows({.flux = 5}), 300, infinity);
  expect_range(of_flows({.flux = -5}), -infinity, 310);
}

TEST(TemperatureBoundsOf, SurroundingsCountWhereTheyExchangeHeat) {
  expect_range(of_flows({.coefficient = 0, .ambient = 20}), 300, 310);
  expect_range(of_flows({.coefficient = 2, .ambient = 20}), 20, 310);
  expect_range(of_flows({.emissivity = 0, .surroundings = 3}), 300, 310);
  expect_range(of_flows({.emissivity = 0.5, .surroundings = 3}), 3, 310);
}

TEST(TemperatureBoundsOf, ConvectionEndsAFlux) {
  expect_range(of_flows({.flux = 100, .coefficient = 2, .ambient = 305}), 300, 355);
  expect_range(of_flows({.flux = -100, .coefficient = 2, .ambient = 305}), 255, 310);
}

TEST(TemperatureBoundsOf, ASourceEndsTheBoundOnItsSide) {
  auto bounds = bounds_of_sources(domain(), std::vector<double>{0, 3}, {});
  expect_range(bounds, infinity, infinity);
  bounds.include_heat(-1, 0);
  expect_range(bounds, -infinity, infinity);
}

TEST(TemperatureBoundsOf, SourcesThatChangeCountWithAllTheirValues) {
  expect_range(of_source(Table{{{0, 1}, {5, 0}}}), 300, infinity);
  expect_range(of_source(Table{{{0, 0}, {1, 0}}}), 300, 300);
  expect_range(of_source(Table{{{0, 1}, {5, -1}, {9, 1}}}), -infinity, infinity);
  expect_range(of_source(Formula{"5*exp(-(x - t)^2)"}), 300, infinity);
  expect_range(of_source(Formula{"-x*t"}), -infinity, 300);
  expect_range(of_source(Formula{"sin(t)"}), -infinity, infinity);
}

}  // namespace
}  // namespace halotherm::app
