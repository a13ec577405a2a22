// SPDX-License-Identifier: MIT
// Between which values quantities lie in the domain, by interval arithmetic.
#pragma once

#include "app/config/config.hpp"
#include "solver/formula/bounds.hpp"

namespace halotherm::app {

/// Between which values a quantity in position and time lies while x, y, z and t are within these
/// bounds; too wide rather than too narrow. Of a data set: infinite.
solver::Bounds bounds_of(const Quantity& quantity, const solver::VariableBounds& variables);

}  // namespace halotherm::app
