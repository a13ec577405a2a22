// SPDX-License-Identifier: MIT
// The operators, functions and constants of formulas.
#pragma once

#include "solver/formula/operation.hpp"

#include <limits>
#include <string>
#include <string_view>

namespace halotherm::solver {

inline constexpr int loosest_precedence = 1;
inline constexpr int power_precedence = 6;
inline constexpr int any_number = std::numeric_limits<int>::max();

struct FormulaOperator {
  std::string_view text;
  FormulaCode code;
  int precedence;
  bool binds_right = false;
};
/// The operator with which a text begins, or null.
const FormulaOperator* formula_operator(std::string_view text);

/// A function of a fixed number of arguments, or one that applies its code from one argument to the
/// next.
struct FormulaFunction {
  std::string_view name;
  FormulaCode code;
  int least_arguments = 1;
  int most_arguments = 1;
  bool begins_with_zero = false;  ///< the first argument is added to 0
  bool divides = false;           ///< the result is divided by the number of arguments
  /// "1 argument", "at least 1 argument"
  std::string arguments_text() const;
};
/// The function of this name, or null.
const FormulaFunction* formula_function(std::string_view name);

/// The value of pi or e, or null.
const double* formula_constant(std::string_view name);

}  // namespace halotherm::solver
