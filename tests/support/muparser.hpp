// SPDX-License-Identifier: MIT
// muParser as the reference of formulas, where it is installed.
#pragma once

#include "solver/formula/operation.hpp"

#include <numbers>
#include <optional>
#include <string>
#include <vector>

#if defined(HALOTHERM_HAS_MUPARSER)
#include <muParser.h>
#endif

namespace halotherm::test {

/// The values that muParser gives a formula in x, y, z, t, T; none if it refuses the formula or
/// finds several values in it, or is not installed.
inline std::optional<std::vector<double>> muparser_values(
    const std::string& text, const std::vector<solver::FormulaValues>& places) {
#if defined(HALOTHERM_HAS_MUPARSER)
  try {
    solver::FormulaValues now;
    mu::Parser parser;
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    for (int n = 0; n < solver::formula_variable_count; ++n)
      parser.DefineVar(std::string(1, solver::formula_variables[n]), &now.of[n]);
    parser.SetExpr(text);
    std::vector<double> values;
    for (const auto& place : places) {
      now = place;
      values.push_back(parser.Eval());
    }
    if (parser.GetNumResults() == 1) return values;
  } catch (const mu::Parser::exception_type&) {
    return std::nullopt;
  }
#else
  (void)text, (void)places;
#endif
  return std::nullopt;
}

#if defined(HALOTHERM_HAS_MUPARSER)
inline constexpr bool has_muparser = true;
#else
inline constexpr bool has_muparser = false;
#endif

}  // namespace halotherm::test
