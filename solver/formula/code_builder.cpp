// SPDX-License-Identifier: MIT
#include "solver/formula/code_builder.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

using Code = FormulaCode;

/// An operand as a*v + b; `v` is -1 for a number.
struct Affine {
  int v;
  double a;
  double b;
};

Affine affine(const FormulaOperation& operation) {
  if (operation.code == Code::number) return {-1, 0, operation.a};
  if (operation.code == Code::variable) return {operation.variable, 1, 0};
  return {operation.variable, operation.a, operation.b};
}

bool is_affine(Code code) {
  return code == Code::number || code == Code::variable || code == Code::affine;
}

FormulaOperation operation_of(int v, double a, double b) {
  return {Code::affine, static_cast<std::uint8_t>(v), a, b};
}

}  // namespace

bool CodeBuilder::replace(const FormulaOperation& operation) {
  code_.pop_back();
  code_.back() = operation;
  return true;
}

void CodeBuilder::number(double value) {
  code_.push_back({Code::number, 0, value});
}

void CodeBuilder::variable(int variable) {
  code_.push_back({Code::variable, static_cast<std::uint8_t>(variable)});
}

void CodeBuilder::apply(FormulaCode code) {
  if (!fold(code) && !simplify(code)) code_.push_back({code});
}

void CodeBuilder::select(std::size_t condition, std::size_t other) {
  const auto at = [&](std::size_t n) { return code_.begin() + static_cast<std::ptrdiff_t>(n); };
  std::rotate(at(condition), at(other), code_.end());
  code_.push_back({Code::select});
}

/// Evaluates what has constant operands only.
bool CodeBuilder::fold(FormulaCode code) {
  const auto arity = static_cast<std::size_t>(formula_arity(code));
  if (code_.size() < arity) return false;
  for (std::size_t n = code_.size() - arity; n < code_.size(); ++n) {
    if (code_[n].code != Code::number) return false;
  }
  const double last = code_.back().a;
  if (arity == 2) {
    const double first = code_[code_.size() - 2].a;
    return replace({Code::number, 0, detail::formula_binary(code, first, last)});
  }
  code_.back().a = detail::formula_unary(code, last);
  return true;
}

bool CodeBuilder::simplify(FormulaCode code) {
  if (code_.size() < 2) return false;
  if (code == Code::power) return simplify_power();
  if (code == Code::add) return simplify_sum(1);
  if (code == Code::subtract) return simplify_sum(-1);
  if (code == Code::multiply) return simplify_product();
  return code == Code::divide && simplify_quotient();
}

/// v^0 to v^4 without a call of pow.
bool CodeBuilder::simplify_power() {
  const auto &base = code_[code_.size() - 2], &exponent = code_.back();
  if (base.code != Code::variable || exponent.code != Code::number) return false;
  if (exponent.a == 0) return replace({Code::number, 0, 1});
  constexpr Code powers[] = {Code::variable, Code::square, Code::cube, Code::fourth};
  for (int n = 1; n <= 4; ++n) {
    if (exponent.a == n) return replace({powers[n - 1], base.variable});
  }
  return false;
}

/// Sums of numbers and affine functions of one variable.
bool CodeBuilder::simplify_sum(double sign) {
  const auto &left = code_[code_.size() - 2], &right = code_.back();
  if (!is_affine(left.code) || !is_affine(right.code)) return false;
  const auto l = affine(left), r = affine(right);
  if (l.v >= 0 && r.v >= 0 && l.v != r.v) return false;
  return replace(operation_of(std::max(l.v, r.v), l.a + sign * r.a, l.b + sign * r.b));
}

/// Numbers times affine functions, and v*v.
bool CodeBuilder::simplify_product() {
  const auto &left = code_[code_.size() - 2], &right = code_.back();
  if (left.code == Code::variable && right.code == Code::variable)
    return left.variable == right.variable && replace({Code::square, left.variable});
  if (!is_affine(left.code) || !is_affine(right.code)) return false;
  const auto l = affine(left), r = affine(right);
  if (l.v >= 0 && r.v >= 0) return false;
  const auto &function = l.v >= 0 ? l : r, &number = l.v >= 0 ? r : l;
  const bool variable = left.code == Code::variable || right.code == Code::variable;
  if (variable) return replace(operation_of(function.v, number.b + 0.0, 0));
  return replace(operation_of(function.v, function.a * number.b, function.b * number.b));
}

/// Affine functions over a number.
bool CodeBuilder::simplify_quotient() {
  const auto &left = code_[code_.size() - 2], &right = code_.back();
  if (left.code != Code::affine || right.code != Code::number || right.a == 0) return false;
  return replace(operation_of(left.variable, left.a / right.a, left.b / right.a));
}

int stack_of(const std::vector<FormulaOperation>& code) {
  int depth = 0, most = 0;
  for (const auto& operation : code) {
    depth += 1 - formula_arity(operation.code);
    most = std::max(most, depth);
  }
  return most;
}

}  // namespace halotherm::solver
