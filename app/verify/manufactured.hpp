// SPDX-License-Identifier: MIT
// Manufactured problems: a chosen temperature, and the configuration that has it as its solution.
#pragma once

#include <string>
#include <string_view>

namespace halotherm::app {

/// What holds at the sides. The members' names are those of the tables.
enum class SideKind { temperature, flux, convection, flux_and_convection, radiation, periodic };
/// What the coefficients depend on.
enum class CoefficientKind {
  constant,
  formulas,
  per_axis,
  of_temperature,
  uneven_cells,
  of_temperature_in_uneven_cells
};

std::string_view name_of(SideKind kind);
std::string_view name_of(CoefficientKind kind);

/// T = 300 + 50 g(t) f(x) f(y) f(z). The derivatives of g and f are known, so source, fluxes and
/// ambient temperatures follow from the equation and the sides without any approximation.
struct Manufactured {
  int dimensions = 1;
  SideKind sides = SideKind::temperature;
  CoefficientKind coefficients = CoefficientKind::constant;
  bool steady = false;  ///< g = 1, and nothing changes with time

  /// Whether a side holds the temperature, without which there is no steady state.
  bool is_anchored() const { return sides != SideKind::flux && sides != SideKind::periodic; }

  /// The temperature [K], a formula in x, y, z and t.
  std::string temperature() const;
  /// Materials, sources, sides, the start and the grid of `cells` along each axis, as YAML; without
  /// `time`. The domain's edges are 1 m long.
  std::string configuration(int cells) const;
};

}  // namespace halotherm::app
