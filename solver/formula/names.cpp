// SPDX-License-Identifier: MIT
#include "solver/formula/names.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace halotherm::solver {

namespace {

using Code = FormulaCode;

/// Longer ones before those with which they begin.
constexpr std::array<FormulaOperator, 13> operators{{{"||", Code::either, 1},
                                                     {"&&", Code::both, 2},
                                                     {"<=", Code::less_equal, 3},
                                                     {">=", Code::greater_equal, 3},
                                                     {"==", Code::equal, 3},
                                                     {"!=", Code::not_equal, 3},
                                                     {"<", Code::less, 3},
                                                     {">", Code::greater, 3},
                                                     {"+", Code::add, 4},
                                                     {"-", Code::subtract, 4},
                                                     {"*", Code::multiply, 5},
                                                     {"/", Code::divide, 5},
                                                     {"^", Code::power, power_precedence, true}}};

constexpr std::array<FormulaFunction, 26> functions{{{"abs", Code::abs},
                                                     {"acos", Code::acos},
                                                     {"acosh", Code::acosh},
                                                     {"asin", Code::asin},
                                                     {"asinh", Code::asinh},
                                                     {"atan", Code::atan},
                                                     {"atan2", Code::atan2, 2, 2},
                                                     {"atanh", Code::atanh},
                                                     {"avg", Code::add, 1, any_number, true, true},
                                                     {"cos", Code::cos},
                                                     {"cosh", Code::cosh},
                                                     {"exp", Code::exp},
                                                     {"ln", Code::log},
                                                     {"log", Code::log},
                                                     {"log10", Code::log10},
                                                     {"log2", Code::log2},
                                                     {"max", Code::maximum, 1, any_number},
                                                     {"min", Code::minimum, 1, any_number},
                                                     {"rint", Code::rint},
                                                     {"sign", Code::sign},
                                                     {"sin", Code::sin},
                                                     {"sinh", Code::sinh},
                                                     {"sqrt", Code::sqrt},
                                                     {"sum", Code::add, 1, any_number, true},
                                                     {"tan", Code::tan},
                                                     {"tanh", Code::tanh}}};

constexpr double pi = std::numbers::pi;
constexpr double e = std::numbers::e;

}  // namespace

const FormulaOperator* formula_operator(std::string_view text) {
  const auto* found = std::ranges::find_if(
      operators, [&](const auto& candidate) { return text.starts_with(candidate.text); });
  return found == operators.end() ? nullptr : found;
}

const FormulaFunction* formula_function(std::string_view name) {
  const auto* found = std::ranges::find(functions, name, &FormulaFunction::name);
  return found == functions.end() ? nullptr : found;
}

const double* formula_constant(std::string_view name) {
  return name == "pi" ? &pi : name == "e" ? &e : nullptr;
}

std::string FormulaFunction::arguments_text() const {
  return std::string(most_arguments == any_number ? "at least " : "") +
         std::to_string(least_arguments) + (least_arguments == 1 ? " argument" : " arguments");
}

}  // namespace halotherm::solver
