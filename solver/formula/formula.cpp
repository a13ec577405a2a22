// SPDX-License-Identifier: MIT
#include "solver/formula/formula.hpp"

#include "comm/system/error_text.hpp"
#include "solver/formula/parser.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

constexpr std::size_t longest_formula = 4096;

[[noreturn]] void refuse(const std::string& formula, comm::ErrorText text) {
  text.problem = "the formula \"" + comm::shortened(formula, 60) + "\" " + text.problem;
  throw comm::Error(comm::ExitCode::usage, std::move(text));
}

bool is_plain(unsigned char letter) {
  return (letter >= 0x20 && letter < 0x7F) || letter == '\t' || letter == '\n' || letter == '\r';
}

void require_plain_text(const std::string& text) {
  if (text.find_first_not_of(" \t\n\r") == std::string::npos)
    refuse(text, {"is empty", "a formula gives a value", "write one, or a number"});
  if (text.size() > longest_formula)
    refuse(text, {"is too long", "at most 4096 characters", "shorten it"});
  if (!std::ranges::all_of(text, is_plain))
    refuse(text, {"has a character that is not plain ASCII", "formulas have none", "remove it"});
  if (text.find('"') != std::string::npos)
    refuse(text, {"has a quotation mark", "formulas are of numbers only", "remove it"});
}

}  // namespace

Formula::Formula(const std::string& text, std::string_view allowed) {
  require_plain_text(text);
  try {
    code_ = parse_formula(text, allowed);
  } catch (const FormulaMistake& mistake) {
    refuse(text, mistake.text);
  }
  for (const auto& operation : code_) {
    const char name = formula_variables[operation.variable];
    const bool is_operand = formula_arity(operation.code) == 0;
    if (is_operand && operation.code != FormulaCode::number && !uses(name)) used_ += name;
  }
}

double Formula::operator()(const std::array<double, 3>& position, double time,
                           double temperature) const {
  return evaluate(code_.data(), static_cast<int>(code_.size()),
                  {{position[0], position[1], position[2], time, temperature}});
}

}  // namespace halotherm::solver
