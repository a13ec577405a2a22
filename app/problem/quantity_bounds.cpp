// SPDX-License-Identifier: MIT
#include "app/problem/quantity_bounds.hpp"

#include "solver/formula/formula.hpp"

#include <algorithm>

namespace halotherm::app {

namespace {

/// The points within the times, and the last before and the first after them: values between two
/// points lie between theirs.
solver::Bounds bounds_of(const Table& table, const solver::Bounds& time) {
  const auto& points = table.points;
  std::size_t first = 0, last = points.size() - 1;
  while (first < last && points[first + 1][0] <= time.lower) ++first;
  while (last > first && points[last - 1][0] >= time.upper) --last;
  solver::Bounds bounds{points[first][1], points[first][1]};
  for (std::size_t n = first; n <= last; ++n) {
    bounds.lower = std::min(bounds.lower, points[n][1]);
    bounds.upper = std::max(bounds.upper, points[n][1]);
  }
  return bounds;
}

}  // namespace

solver::Bounds bounds_of(const Quantity& quantity, const solver::VariableBounds& variables) {
  if (const auto* number = std::get_if<double>(&quantity)) return {*number, *number};
  if (const auto* formula = std::get_if<Formula>(&quantity))
    return solver::bounds_of(solver::Formula(formula->text, solver::formula_variables).code(),
                             variables);
  if (const auto* table = std::get_if<Table>(&quantity)) return bounds_of(*table, variables[3]);
  return {};
}

solver::TemperatureBounds bounds_of_sources(const Config& config, const solver::Coefficient& fixed,
                                            const OwnedQuantities& changing) {
  solver::TemperatureBounds bounds;
  if (const auto* number = std::get_if<double>(&fixed)) {
    bounds.include_heat(*number, *number);
  } else {
    for (const double value : std::get<std::vector<double>>(fixed))
      bounds.include_heat(value, value);
  }
  const auto variables = variable_bounds(config);
  for (const auto& part : changing) {
    const auto [least, most] = bounds_of(part.quantity, variables);
    bounds.include_heat(least, most);
  }
  return bounds;
}

}  // namespace halotherm::app
