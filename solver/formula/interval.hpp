// SPDX-License-Identifier: MIT
// Interval arithmetic of formulas' operations (Moore 1966): too wide rather than too narrow, up to
// rounding.
#pragma once

#include "solver/formula/bounds.hpp"

namespace halotherm::solver::interval {

Bounds sum(const Bounds& a, const Bounds& b);
Bounds negated(const Bounds& a);
/// The values themselves are finite, so 0 times an infinite bound is 0.
Bounds product(const Bounds& a, const Bounds& b);
Bounds quotient(const Bounds& a, const Bounds& b);
Bounds absolute(const Bounds& a);
Bounds square(const Bounds& a);
/// The smallest one that has both.
Bounds hull(const Bounds& a, const Bounds& b);
/// What does not compare is unbounded.
Bounds without_nan(const Bounds& a);

/// Of operations that take no value from the stack, one or two.
Bounds operand(const FormulaOperation& operation, const VariableBounds& variables);
Bounds unary(FormulaCode code, const Bounds& a);
Bounds binary(FormulaCode code, const Bounds& a, const Bounds& b);

}  // namespace halotherm::solver::interval
