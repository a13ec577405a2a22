// SPDX-License-Identifier: MIT
// The code of formulas, and its evaluation on CPUs and GPUs alike.
#pragma once

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>

namespace halotherm::solver {

/// Operations in postfix order: an operand is added to the stack, an operation replaces what it
/// takes from the stack by its result. `select` takes the value where a condition is 0, the
/// condition, and the value elsewhere: so a long chain of conditions needs a short stack.
enum class FormulaCode : std::uint8_t {
  number,    ///< a
  variable,  ///< v
  affine,    ///< a*v + b
  square,    ///< v*v
  cube,      ///< v*v*v
  fourth,    ///< v*v*v*v
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  minimum,
  maximum,
  atan2,
  select,
  negate,
  same,
  abs,
  acos,
  acosh,
  asin,
  asinh,
  atan,
  atanh,
  cos,
  cosh,
  exp,
  log,
  log10,
  log2,
  rint,
  sign,
  sin,
  sinh,
  sqrt,
  tan,
  tanh
};

/// The variables of formulas: their names in the order of their values.
inline constexpr char formula_variables[] = "xyztT";
inline constexpr int formula_variable_count = 5;
/// The longest stack.
inline constexpr int formula_stack_limit = 32;

struct FormulaOperation {
  FormulaCode code = FormulaCode::number;
  std::uint8_t variable = 0;  ///< v: position in `formula_variables`
  double a = 0;
  double b = 0;
};

/// Values of x, y, z [m], t [s], T [K].
struct FormulaValues {
  double of[formula_variable_count] = {};
};

namespace detail {

KOKKOS_INLINE_FUNCTION double formula_operand(const FormulaOperation& operation,
                                              const FormulaValues& values) {
  if (operation.code == FormulaCode::number) return operation.a;
  const double v = values.of[operation.variable];
  switch (operation.code) {
    case FormulaCode::affine:
      return v * operation.a + operation.b;
    case FormulaCode::square:
      return v * v;
    case FormulaCode::cube:
      return v * v * v;
    case FormulaCode::fourth:
      return v * v * v * v;
    default:
      return v;
  }
}

KOKKOS_INLINE_FUNCTION double formula_binary(FormulaCode code, double a, double b) {
  switch (code) {
    case FormulaCode::add:
      return a + b;
    case FormulaCode::subtract:
      return a - b;
    case FormulaCode::multiply:
      return a * b;
    case FormulaCode::divide:
      return a / b;
    case FormulaCode::power:
      return std::pow(a, b);
    case FormulaCode::less:
      return a < b ? 1 : 0;
    case FormulaCode::less_equal:
      return a <= b ? 1 : 0;
    case FormulaCode::greater:
      return a > b ? 1 : 0;
    case FormulaCode::greater_equal:
      return a >= b ? 1 : 0;
    case FormulaCode::equal:
      return a == b ? 1 : 0;
    case FormulaCode::not_equal:
      return a != b ? 1 : 0;
    case FormulaCode::both:
      return a != 0 && b != 0 ? 1 : 0;
    case FormulaCode::either:
      return a != 0 || b != 0 ? 1 : 0;
    case FormulaCode::minimum:
      return b < a ? b : a;
    case FormulaCode::maximum:
      return a < b ? b : a;
    default:
      return std::atan2(a, b);
  }
}

KOKKOS_INLINE_FUNCTION double formula_trigonometric(FormulaCode code, double v) {
  switch (code) {
    case FormulaCode::acos:
      return std::acos(v);
    case FormulaCode::asin:
      return std::asin(v);
    case FormulaCode::atan:
      return std::atan(v);
    case FormulaCode::cos:
      return std::cos(v);
    case FormulaCode::cosh:
      return std::cosh(v);
    case FormulaCode::sin:
      return std::sin(v);
    case FormulaCode::sinh:
      return std::sinh(v);
    case FormulaCode::tan:
      return std::tan(v);
    default:
      return std::tanh(v);
  }
}

/// Area functions, log2 and rint are the expressions of muParser 2.3, whose values they keep.
KOKKOS_INLINE_FUNCTION double formula_unary(FormulaCode code, double v) {
  switch (code) {
    case FormulaCode::negate:
      return -v;
    case FormulaCode::same:
      return v;
    case FormulaCode::abs:
      return v >= 0 ? v : -v;
    case FormulaCode::acosh:
      return std::log(v + std::sqrt(v * v - 1));
    case FormulaCode::asinh:
      return std::log(v + std::sqrt(v * v + 1));
    case FormulaCode::atanh:
      return 0.5 * std::log((1 + v) / (1 - v));
    case FormulaCode::exp:
      return std::exp(v);
    case FormulaCode::log:
      return std::log(v);
    case FormulaCode::log10:
      return std::log10(v);
    case FormulaCode::log2:
      return std::log(v) / std::log(2.0);
    case FormulaCode::rint:
      return std::floor(v + 0.5);
    case FormulaCode::sign:
      return v < 0 ? -1 : v > 0 ? 1 : 0;
    case FormulaCode::sqrt:
      return std::sqrt(v);
    default:
      return formula_trigonometric(code, v);
  }
}

}  // namespace detail

/// The number of values that an operation takes from the stack.
KOKKOS_INLINE_FUNCTION constexpr int formula_arity(FormulaCode code) {
  if (code <= FormulaCode::fourth) return 0;
  if (code < FormulaCode::select) return 2;
  return code == FormulaCode::select ? 3 : 1;
}

/// The value of a formula's code. `operations` leave one value and need no longer stack than
/// `formula_stack_limit`. Every operation is rounded by itself, so CPUs and GPUs give the same bits
/// but for the last ones of functions such as exp.
KOKKOS_INLINE_FUNCTION double evaluate(const FormulaOperation* operations, int count,
                                       const FormulaValues& values) {
  double top = 0;  // of the stack; the rest lies in `below`
  double below[formula_stack_limit];
  int depth = 0;
  for (int n = 0; n < count; ++n) {
    const auto& operation = operations[n];
    const auto code = operation.code;
    switch (formula_arity(code)) {
      case 0:
        below[depth++] = top;
        top = detail::formula_operand(operation, values);
        break;
      case 1:
        top = detail::formula_unary(code, top);
        break;
      case 2:
        top = detail::formula_binary(code, below[--depth], top);
        break;
      default:
        depth -= 2;
        top = below[depth + 1] != 0 ? top : below[depth];
    }
  }
  return top;
}

}  // namespace halotherm::solver
