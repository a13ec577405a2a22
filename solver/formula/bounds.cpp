// SPDX-License-Identifier: MIT
#include "solver/formula/bounds.hpp"

#include "solver/formula/interval.hpp"

#include <vector>

namespace halotherm::solver {

Bounds bounds_of(std::span<const FormulaOperation> code, const VariableBounds& variables) {
  std::vector<Bounds> stack;
  const auto pop = [&] {
    const auto top = stack.back();
    stack.pop_back();
    return top;
  };
  for (const auto& operation : code) {
    Bounds result;
    switch (formula_arity(operation.code)) {
      case 0:
        result = interval::operand(operation, variables);
        break;
      case 1:
        result = interval::unary(operation.code, pop());
        break;
      case 2: {
        const auto second = pop();
        result = interval::binary(operation.code, pop(), second);
        break;
      }
      default: {
        const auto value = pop();
        pop();  // the condition
        const auto elsewhere = pop();
        result = interval::hull(value, elsewhere);
      }
    }
    stack.push_back(interval::without_nan(result));
  }
  return stack.back();
}

}  // namespace halotherm::solver
