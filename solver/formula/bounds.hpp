// SPDX-License-Identifier: MIT
// Between which values a formula lies, by interval arithmetic (Moore 1966).
#pragma once

#include "solver/formula/operation.hpp"

#include <array>
#include <limits>
#include <span>

namespace halotherm::solver {

/// From `lower` to `upper`, which may be infinite.
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// One for each of `formula_variables`.
using VariableBounds = std::array<Bounds, formula_variable_count>;

/// Bounds of a formula's values where they are numbers, up to rounding; too wide rather than too
/// narrow.
Bounds bounds_of(std::span<const FormulaOperation> code, const VariableBounds& variables);

}  // namespace halotherm::solver
