// SPDX-License-Identifier: MIT
#include "io/text/expression.hpp"

#include "comm/mpi/error.hpp"
#include "io/text/message_text.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <numbers>

namespace halotherm::io {

namespace {

constexpr std::size_t longest_formula = 4096;

[[noreturn]] void refuse(const std::string& formula, comm::ErrorText text) {
  text.problem = "the formula \"" + shortened(formula, 60) + "\" " + text.problem;
  throw comm::Error(comm::ExitCode::usage, std::move(text));
}

bool is_plain(unsigned char letter) {
  return (letter >= 0x20 && letter < 0x7F) || letter == '\t' || letter == '\n' || letter == '\r';
}

/// Refuses what muParser accepts beyond arithmetic: assignments such as "x = 3", and strings. It
/// also stops at a zero byte.
void require_arithmetic(const std::string& text) {
  if (text.find_first_not_of(" \t\n") == std::string::npos)
    refuse(text, {"is empty", "a formula gives a value", "write one, or a number"});
  if (text.size() > longest_formula)
    refuse(text, {"is too long", "at most 4096 characters", "shorten it"});
  if (!std::ranges::all_of(text, is_plain))
    refuse(text, {"has a character that is not plain ASCII", "formulas have none", "remove it"});
  if (text.find('"') != std::string::npos)
    refuse(text, {"has a quotation mark", "formulas are of numbers only", "remove it"});
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool comparison =
        (i > 0 && std::string_view("=<>!").find(text[i - 1]) != std::string_view::npos) ||
        (i + 1 < text.size() && text[i + 1] == '=');
    if (!comparison)
      refuse(text, {fmt::format("assigns with = at character {}", i + 1), "a formula is a value",
                    "compare with =="});
  }
}

/// The error in words: muParser counts characters from 0 and gives the position twice.
comm::ErrorText explained(const mu::Parser::exception_type& error, std::string_view variables) {
  const auto remedy = fmt::format(
      "use the variables {}, the constants pi and e, and functions such as exp, sin, sqrt, min",
      fmt::join(variables, ", "));
  const std::string where = "at character " + std::to_string(error.GetPos() + 1);
  std::string token = error.GetToken();
  while (!token.empty() && (token.back() == ' ' || token.back() == '\0')) token.pop_back();
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN)
    return {"has \"" + token + "\" " + where, "it is not known here", remedy};
  std::string reason = error.GetMsg();
  reason =
      reason.substr(0, std::min(reason.find(" found at position"), reason.find(" at position")));
  while (!reason.empty() && (reason.back() == '.' || reason.back() == ' ')) reason.pop_back();
  return {"is wrong " + where, reason, remedy};
}

}  // namespace

struct Expression::Implementation {
  mu::Parser parser;
  std::string used;
  mutable std::array<double, 4> values{};  ///< x, y, z, t: the parser reads its variables here
};

Expression::Expression(const std::string& text, std::string_view allowed)
    : implementation_(std::make_unique<Implementation>()) {
  require_arithmetic(text);
  constexpr std::string_view names = "xyzt";
  auto& [parser, used, values] = *implementation_;
  try {
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    for (const char name : allowed)
      parser.DefineVar(std::string(1, name), &values[names.find(name)]);
    parser.SetExpr(text);
    for (const auto& [name, place] : parser.GetUsedVar()) used += name;
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    refuse(text, explained(error, allowed));
  }
  if (parser.GetNumResults() != 1)
    refuse(text,
           {"gives several values", "a comma stands outside of a function", "leave one value"});
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

bool Expression::uses(char name) const {
  return implementation_->used.find(name) != std::string::npos;
}

double Expression::operator()(const std::array<double, 3>& position, double time) const {
  implementation_->values = {position[0], position[1], position[2], time};
  return implementation_->parser.Eval();
}

}  // namespace halotherm::io
