// SPDX-License-Identifier: MIT
// Puts a formula's code together, operation by operation.
#pragma once

#include "solver/formula/operation.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace halotherm::solver {

/// Takes operands and operations in postfix order. It evaluates what is constant, and simplifies
/// polynomials of one variable, by the rules of muParser 2.3: so a formula's value has the bits
/// that muParser gives it.
class CodeBuilder {
 public:
  void number(double value);
  /// `variable`: position in `formula_variables`.
  void variable(int variable);
  /// An operator or a function with a fixed number of arguments.
  void apply(FormulaCode code);
  /// An operation of a function with any number of arguments, which is not simplified.
  void apply_as_is(FormulaCode code) { code_.push_back({code}); }
  /// A number that belongs to such a function.
  void number_as_is(double value) { code_.push_back({FormulaCode::number, 0, value}); }
  /// Selects between the values that begin at these operations, given in the order condition, value
  /// if it holds, value elsewhere.
  void select(std::size_t condition, std::size_t other);

  std::size_t size() const { return code_.size(); }
  std::vector<FormulaOperation> take() && { return std::move(code_); }

 private:
  bool fold(FormulaCode code);
  bool simplify(FormulaCode code);
  bool simplify_power();
  bool simplify_sum(double sign);
  bool simplify_product();
  bool simplify_quotient();
  /// Replaces the last two operations by one.
  bool replace(const FormulaOperation& operation);

  std::vector<FormulaOperation> code_;
};

/// The longest stack that the code needs.
int stack_of(const std::vector<FormulaOperation>& code);

}  // namespace halotherm::solver
