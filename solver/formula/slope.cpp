// SPDX-License-Identifier: MIT
#include "solver/formula/slope.hpp"

#include "solver/formula/interval.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace halotherm::solver {

namespace {

using namespace interval;  // NOLINT(google-build-using-namespace)
using Code = FormulaCode;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Bounds zero{0, 0}, one{1, 1};

/// Of a value and of its derivative.
struct Dual {
  Bounds value, slope = zero;
};

bool is_zero(const Bounds& a) {
  return a.lower == 0 && a.upper == 0;
}

/// Of an increasing function.
template <class Function>
Bounds increasing(const Bounds& a, const Function& function) {
  return without_nan({function(a.lower), function(a.upper)});
}

Bounds times(const Bounds& a, double factor) {
  return product(a, {factor, factor});
}

/// a to the power of a number.
Bounds power(const Bounds& a, double exponent) {
  const auto at = [&](double base) { return std::pow(base, exponent); };
  if (exponent == 0) return one;
  if (a.lower >= 0)
    return exponent > 0 ? increasing(a, at) : without_nan({at(a.upper), at(a.lower)});
  const bool whole = exponent == std::rint(exponent);
  if (!whole || exponent < 0) return {};
  return std::fmod(exponent, 2) == 0 ? power(absolute(a), exponent) : increasing(a, at);
}

Dual dual_of(const FormulaOperation& operation, const VariableBounds& variables) {
  Dual result{interval::operand(operation, variables)};
  constexpr std::uint8_t temperature = formula_variable_count - 1;
  if (operation.code == Code::number || operation.variable != temperature) return result;
  const auto& T = variables[temperature];
  switch (operation.code) {
    case Code::affine:
      result.slope = {operation.a, operation.a};
      break;
    case Code::square:
      result.slope = times(T, 2);
      break;
    case Code::cube:
      result.slope = times(square(T), 3);
      break;
    case Code::fourth:
      result.slope = times(power(T, 3), 4);
      break;
    default:
      result.slope = one;
  }
  return result;
}

Dual power(const Dual& base, const Dual& exponent) {
  const bool is_number = exponent.value.lower == exponent.value.upper;
  if (is_number) {
    const double n = exponent.value.lower;
    return {power(base.value, n), product(times(power(base.value, n - 1), n), base.slope)};
  }
  if (base.value.lower <= 0) return {interval::binary(Code::power, base.value, exponent.value), {}};
  // exp(exponent log(base))
  const auto log = increasing(base.value, [](double v) { return std::log(v); });
  const auto value = increasing(product(exponent.value, log), [](double v) { return std::exp(v); });
  return {value, product(value, sum(product(exponent.slope, log),
                                    product(exponent.value, quotient(base.slope, base.value))))};
}

Dual binary(Code code, const Dual& a, const Dual& b) {
  const auto value = interval::binary(code, a.value, b.value);
  switch (code) {
    case Code::add:
      return {value, sum(a.slope, b.slope)};
    case Code::subtract:
      return {value, sum(a.slope, negated(b.slope))};
    case Code::multiply:
      return {value, sum(product(a.slope, b.value), product(a.value, b.slope))};
    case Code::divide:
      return {value, quotient(sum(a.slope, negated(product(value, b.slope))), b.value)};
    case Code::power:
      return power(a, b);
    case Code::minimum:
    case Code::maximum:
      return {value, hull(a.slope, b.slope)};
    case Code::atan2:
      return {value, is_zero(a.slope) && is_zero(b.slope) ? zero : Bounds{}};
    default:  // a comparison, or a condition of conditions
      return {value, zero};
  }
}

/// The derivative of a function of one value.
Bounds derivative(Code code, const Bounds& a, const Bounds& value) {
  const auto cosh = [](double v) { return std::cosh(v); };
  switch (code) {
    case Code::negate:
      return {-1, -1};
    case Code::same:
      return one;
    case Code::abs:
      return {a.lower >= 0 ? 1.0 : -1.0, a.upper <= 0 ? -1.0 : 1.0};
    case Code::exp:
      return value;
    case Code::log:
      return quotient(one, a);
    case Code::log10:
      return quotient({1 / std::log(10.0), 1 / std::log(10.0)}, a);
    case Code::log2:
      return quotient({1 / std::log(2.0), 1 / std::log(2.0)}, a);
    case Code::sqrt:
      return a.lower > 0 ? times(power(a, -0.5), 0.5) : Bounds{0, infinity};
    case Code::sin:
    case Code::cos:
      return {-1, 1};
    case Code::sinh:
      return increasing(absolute(a), cosh);
    case Code::cosh:
      return increasing(a, [](double v) { return std::sinh(v); });
    case Code::tan:
      return {1, infinity};
    case Code::atan:
    case Code::tanh:
    case Code::asinh:
      return {0, 1};
    case Code::rint:
    case Code::sign:
      return zero;
    default:
      return {};
  }
}

Dual unary(Code code, const Dual& a) {
  auto value = interval::unary(code, a.value);
  if (code == Code::log) value = increasing(a.value, [](double v) { return std::log(v); });
  if (code == Code::sqrt)
    value = increasing({std::max(a.value.lower, 0.0), std::max(a.value.upper, 0.0)},
                       [](double v) { return std::sqrt(v); });
  return {value, product(derivative(code, a.value, value), a.slope)};
}

/// Takes what an operation needs from the stack.
class Stack {
 public:
  Dual pop() {
    const auto top = values_.back();
    values_.pop_back();
    return top;
  }
  /// What does not depend on T has no slope, whatever its value is.
  void push(const Dual& value, bool depends) {
    values_.push_back({without_nan(value.value), depends ? without_nan(value.slope) : zero});
  }

 private:
  std::vector<Dual> values_;
};

bool depends(const Dual& value) {
  return !is_zero(value.slope);
}

}  // namespace

Bounds slope_of(std::span<const FormulaOperation> code, const VariableBounds& variables) {
  Stack stack;
  for (const auto& operation : code) {
    switch (formula_arity(operation.code)) {
      case 0:
        stack.push(dual_of(operation, variables), true);
        break;
      case 1: {
        const auto a = stack.pop();
        stack.push(unary(operation.code, a), depends(a));
        break;
      }
      case 2: {
        const auto b = stack.pop(), a = stack.pop();
        stack.push(binary(operation.code, a, b), depends(a) || depends(b));
        break;
      }
      default: {
        const auto value = stack.pop();
        stack.pop();  // the condition
        const auto elsewhere = stack.pop();
        stack.push({hull(value.value, elsewhere.value), hull(value.slope, elsewhere.slope)}, true);
      }
    }
  }
  return stack.pop().slope;
}

double steepest_fall(std::span<const FormulaOperation> code, const VariableBounds& variables) {
  const auto [lower, upper] = variables.back();
  const int parts = std::isfinite(lower) && std::isfinite(upper) ? 256 : 1;
  double fall = 0;
  for (int n = 0; n < parts; ++n) {
    auto part = variables;
    if (parts > 1) {
      part.back() = {lower + (upper - lower) * n / parts,
                     lower + (upper - lower) * (n + 1) / parts};
    }
    fall = std::max(fall, -slope_of(code, part).lower);
  }
  return fall;
}

}  // namespace halotherm::solver
