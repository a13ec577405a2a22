// SPDX-License-Identifier: MIT
// Formulas that are products of a factor for each axis.
#pragma once

#include "solver/formula/bounds.hpp"

#include <array>
#include <optional>
#include <vector>

namespace halotherm::solver {

/// The codes of f(x, t), g(y, t) and h(z, t), whose product is a formula's value up to rounding.
using FormulaFactors = std::array<std::vector<FormulaOperation>, 3>;

/// The factors of a formula in x, y, z and t if it is made of products, quotients, small whole
/// powers, exponential functions of sums, and conditions that hold along each axis by themselves,
/// such as `x < t && y < 1 ? 5 : 0`. Exponential functions are split where no factor can be much
/// larger than 1 while the variables stay within their bounds, so that a factor cannot overflow
/// where the formula does not. Independent of everything but the arguments, so all ranks find the
/// same.
std::optional<FormulaFactors> separated(const std::vector<FormulaOperation>& code,
                                        const VariableBounds& variables);

}  // namespace halotherm::solver
