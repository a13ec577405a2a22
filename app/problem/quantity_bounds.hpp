// SPDX-License-Identifier: MIT
// Between which values quantities lie in the domain, by interval arithmetic.
#pragma once

#include "app/problem/region_quantities.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/equation/temperature_bounds.hpp"
#include "solver/formula/bounds.hpp"

namespace halotherm::app {

/// Between which values a quantity in position and time lies while x, y, z and t are within these
/// bounds; too wide rather than too narrow. Of a data set: infinite.
solver::Bounds bounds_of(const Quantity& quantity, const solver::VariableBounds& variables);

/// What a source allows: `fixed`, and at every time those of `changing`, as far as intervals tell
/// (solver::bounds_of). Local.
solver::TemperatureBounds bounds_of_sources(const Config& config, const solver::Coefficient& fixed,
                                            const OwnedQuantities& changing);

}  // namespace halotherm::app
