// SPDX-License-Identifier: MIT
#include "app/problem/temperature_bounds.hpp"

#include "app/problem/quantity_bounds.hpp"

namespace halotherm::app {

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
    const auto [least, most] = bounds_of(part.quantity, variables);
    bounds.include_heat(least, most);
  }
  return bounds;
}

}  // namespace halotherm::app
