// SPDX-License-Identifier: MIT
#include "app/problem/temperature_bounds.hpp"

#include "solver/formula/bounds.hpp"
#include "solver/formula/formula.hpp"

#include <utility>

namespace halotherm::app {

namespace {

/// Between which values a quantity in position and time lies.
solver::Bounds values_of(const Quantity& quantity, const solver::VariableBounds& variables) {
  if (const auto* number = std::get_if<double>(&quantity)) return {*number, *number};
  if (const auto* formula = std::get_if<Formula>(&quantity))
    return solver::bounds_of(solver::Formula(formula->text, "xyzt").code(), variables);
  if (const auto* table = std::get_if<Table>(&quantity)) {
    const auto [least, most] =
        std::ranges::minmax(table->points, {}, [](const auto& point) { return point[1]; });
    return {least[1], most[1]};
  }
  return {};  // files do not change with time
}

}  // namespace

/// coefficient (ambient − T) + flux vanishes at ambient + flux/coefficient.
void TemperatureBounds::include_flows(const solver::HeatFlows& flows) {
  if (flows.coefficient > 0) {
    include(flows.ambient + flows.flux / flows.coefficient);
  } else {
    include_heat(flows.flux, flows.flux);
  }
  if (flows.emissivity > 0) include(flows.surroundings);
}

TemperatureBounds bounds_of_sources(const Config& config, const solver::Coefficient& fixed,
                                    const OwnedQuantities& changing) {
  TemperatureBounds bounds;
  if (const auto* number = std::get_if<double>(&fixed)) {
    bounds.include_heat(*number, *number);
  } else {
    for (const double value : std::get<std::vector<double>>(fixed))
      bounds.include_heat(value, value);
  }
  const auto variables = variable_bounds(config);
  for (const auto& part : changing) {
    const auto [least, most] = values_of(part.quantity, variables);
    bounds.include_heat(least, most);
  }
  return bounds;
}

}  // namespace halotherm::app
