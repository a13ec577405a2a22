// SPDX-License-Identifier: MIT
#include "solver/formula/interval.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::solver::interval {

using Code = FormulaCode;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double times(double a, double b) {
  return a == 0 || b == 0 ? 0 : a * b;
}

Bounds power(const Bounds& base, const Bounds& exponent) {
  const bool even = exponent.lower == exponent.upper && std::fmod(exponent.lower, 2) == 0;
  if (even && exponent.lower == 2) return square(base);
  return even || base.lower >= 0 ? Bounds{0, infinity} : Bounds{};
}

}  // namespace

Bounds sum(const Bounds& a, const Bounds& b) {
  return {a.lower + b.lower, a.upper + b.upper};
}

Bounds negated(const Bounds& a) {
  return {-a.upper, -a.lower};
}

Bounds product(const Bounds& a, const Bounds& b) {
  const auto [least, most] = std::minmax({times(a.lower, b.lower), times(a.lower, b.upper),
                                          times(a.upper, b.lower), times(a.upper, b.upper)});
  return {least, most};
}

Bounds quotient(const Bounds& a, const Bounds& b) {
  if (b.lower <= 0 && b.upper >= 0) return {};
  return product(a, {1 / b.upper, 1 / b.lower});
}

Bounds absolute(const Bounds& a) {
  if (a.lower >= 0) return a;
  if (a.upper <= 0) return negated(a);
  return {0, std::max(-a.lower, a.upper)};
}

Bounds square(const Bounds& a) {
  const auto size = absolute(a);
  return product(size, size);
}

Bounds hull(const Bounds& a, const Bounds& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

Bounds without_nan(const Bounds& a) {
  return {std::isnan(a.lower) ? -infinity : a.lower, std::isnan(a.upper) ? infinity : a.upper};
}

Bounds operand(const FormulaOperation& operation, const VariableBounds& variables) {
  if (operation.code == Code::number) return {operation.a, operation.a};
  const auto& v = variables[operation.variable];
  switch (operation.code) {
    case Code::affine:
      return sum(product(v, {operation.a, operation.a}), {operation.b, operation.b});
    case Code::square:
      return square(v);
    case Code::cube:
      return {times(v.lower, v.lower * v.lower), times(v.upper, v.upper * v.upper)};
    case Code::fourth:
      return square(square(v));
    default:
      return v;
  }
}

Bounds unary(Code code, const Bounds& a) {
  switch (code) {
    case Code::negate:
      return negated(a);
    case Code::same:
      return a;
    case Code::abs:
      return absolute(a);
    case Code::exp:
      return {std::exp(a.lower), std::exp(a.upper)};
    case Code::sqrt:
      return {0, std::sqrt(std::max(a.upper, 0.0))};
    case Code::cosh:
      return {1, infinity};
    case Code::cos:
    case Code::sign:
    case Code::sin:
    case Code::tanh:
      return {-1, 1};
    default:
      return {};
  }
}

Bounds binary(Code code, const Bounds& a, const Bounds& b) {
  switch (code) {
    case Code::add:
      return sum(a, b);
    case Code::subtract:
      return sum(a, negated(b));
    case Code::multiply:
      return product(a, b);
    case Code::divide:
      return quotient(a, b);
    case Code::power:
      return power(a, b);
    case Code::minimum:
      return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
    case Code::maximum:
      return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
    case Code::atan2:
      return {-4, 4};
    default:  // a comparison, or a condition of conditions
      return {0, 1};
  }
}

}  // namespace halotherm::solver::interval
