// SPDX-License-Identifier: MIT
// How steeply a formula may change with the temperature.
#pragma once

#include "solver/formula/bounds.hpp"

namespace halotherm::solver {

/// Bounds of the derivative of a formula with respect to T where it has one, by differentiation in
/// interval arithmetic (Moore 1966; Griewank & Walther 2008, Evaluating Derivatives, ch. 3): too
/// wide rather than too narrow, up to rounding. Jumps, as of conditions, do not count.
Bounds slope_of(std::span<const FormulaOperation> code, const VariableBounds& variables);

/// The largest decrease of a formula per kelvin, at least 0; infinite where none is known. Where T
/// has finite bounds, they are divided into parts, which makes the result sharper.
double steepest_fall(std::span<const FormulaOperation> code, const VariableBounds& variables);

}  // namespace halotherm::solver
