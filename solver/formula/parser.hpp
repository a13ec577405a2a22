// SPDX-License-Identifier: MIT
// Reads the text of a formula into its code.
#pragma once

#include "comm/system/error_text.hpp"
#include "solver/formula/operation.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace halotherm::solver {

/// What is wrong with a formula; the problem continues 'the formula "..."'.
struct FormulaMistake {
  comm::ErrorText text;
};

/// The code of a formula in the variables `allowed`, by precedence climbing. From the loosest to
/// the tightest: ?:, ||, &&, comparisons, + -, * /, the signs + -, ^. Only ^ and ?: bind to the
/// right. Throws FormulaMistake.
std::vector<FormulaOperation> parse_formula(std::string_view text, std::string_view allowed);

}  // namespace halotherm::solver
