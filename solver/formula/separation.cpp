// SPDX-License-Identifier: MIT
#include "solver/formula/separation.hpp"

#include "solver/formula/code_builder.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace halotherm::solver {

namespace {

using Code = FormulaCode;
using Codes = std::vector<FormulaOperation>;

/// Terms or factors in x, y, z, and what does not depend on the position; those that are empty do
/// not count.
using Parts = std::array<Codes, 4>;
constexpr std::size_t everywhere = 3;

Codes number(double value) {
  return {{Code::number, 0, value}};
}

Codes joined(Codes a, const Codes& b, Code code) {
  a.insert(a.end(), b.begin(), b.end());
  a.push_back({code});
  return a;
}

Codes applied(Codes a, Code code) {
  a.push_back({code});
  return a;
}

/// Part by part; `neutral` stands for a first operand that is empty.
std::optional<Parts> combined(std::optional<Parts> a, const std::optional<Parts>& b, Code code,
                              double neutral) {
  if (!a || !b) return std::nullopt;
  const bool commutes = code == Code::add || code == Code::multiply;
  for (std::size_t n = 0; n < a->size(); ++n) {
    auto& first = (*a)[n];
    const auto& second = (*b)[n];
    if (second.empty()) continue;
    if (first.empty()) {
      first = commutes ? second : joined(number(neutral), second, code);
    } else {
      first = joined(std::move(first), second, code);
    }
  }
  return a;
}

/// `change` of each part that is not empty.
template <class Change>
std::optional<Parts> each(std::optional<Parts> parts, const Change& change) {
  if (!parts) return parts;
  for (auto& part : *parts) {
    if (!part.empty()) part = change(std::move(part));
  }
  return parts;
}

/// Works on positions of the code: a subformula ends with its operation.
class Separator {
 public:
  Separator(const Codes& code, const VariableBounds& variables)
      : code_(code), variables_(variables) {
    for (std::size_t n = 0; n < code.size(); ++n) {
      std::size_t begin = n;
      unsigned axes = 0;
      if (formula_arity(code[n].code) == 0 && code[n].code != Code::number && code[n].variable < 3)
        axes = 1U << code[n].variable;
      for (int operand = formula_arity(code[n].code); operand > 0; --operand) {
        axes |= axes_[begin - 1];
        begin = begin_[begin - 1];
      }
      begin_.push_back(begin);
      axes_.push_back(axes);
    }
  }

  std::optional<Parts> product(std::size_t n) const {
    if (on_one_axis(n)) return alone(n);
    const auto last = n - 1;
    switch (code_[n].code) {
      case Code::same:
        return product(last);
      case Code::negate: {
        Parts sign;
        sign[everywhere] = number(-1);
        return combined(std::move(sign), product(last), Code::multiply, 1);
      }
      case Code::multiply:
      case Code::divide:
        return combined(product(before(last)), product(last), code_[n].code, 1);
      case Code::power:
        return power(before(last), last);
      case Code::exp:
        return exponential(sum(last), 1, [](Codes part) { return applied(part, Code::exp); });
      case Code::both:
        return condition(n);
      case Code::select:
        return selection(n);
      default:
        return std::nullopt;
    }
  }

 private:
  bool on_one_axis(std::size_t n) const { return std::popcount(axes_[n]) <= 1; }
  /// The end of the operand before the one that ends at n.
  std::size_t before(std::size_t n) const { return begin_[n] - 1; }
  bool is_number(std::size_t n) const { return code_[n].code == Code::number; }

  Codes text(std::size_t n) const {
    const auto at = [&](std::size_t m) { return code_.begin() + static_cast<std::ptrdiff_t>(m); };
    return {at(begin_[n]), at(n + 1)};
  }

  Parts alone(std::size_t n) const {
    Parts parts;
    parts[axes_[n] == 0 ? everywhere : static_cast<std::size_t>(std::countr_zero(axes_[n]))] =
        text(n);
    return parts;
  }

  std::optional<Parts> sum(std::size_t n) const {
    if (on_one_axis(n)) return alone(n);
    const auto last = n - 1;
    const auto code = code_[n].code;
    switch (code) {
      case Code::same:
        return sum(last);
      case Code::negate:
        return each(sum(last), [](Codes part) { return applied(std::move(part), Code::negate); });
      case Code::add:
      case Code::subtract:
        return combined(sum(before(last)), sum(last), code, 0);
      case Code::multiply:
        if (axes_[before(last)] == 0) {
          return each(sum(last), [&](const Codes& part) {
            return joined(text(before(last)), part, Code::multiply);
          });
        }
        [[fallthrough]];
      case Code::divide:
        if (axes_[last] != 0) return std::nullopt;
        return each(sum(before(last)),
                    [&](Codes part) { return joined(std::move(part), text(last), code); });
      default:
        return std::nullopt;
    }
  }

  /// Whole powers of products, and powers of a number.
  std::optional<Parts> power(std::size_t base, std::size_t exponent) const {
    constexpr double largest = 4;  // so that no factor overflows where the product does not
    if (is_number(exponent) && std::rint(code_[exponent].a) == code_[exponent].a &&
        std::abs(code_[exponent].a) <= largest) {
      return each(product(base),
                  [&](Codes part) { return joined(std::move(part), text(exponent), Code::power); });
    }
    if (!is_number(base) || !(code_[base].a > 0)) return std::nullopt;
    return exponential(sum(exponent), std::log(code_[base].a),
                       [&](const Codes& part) { return joined(text(base), part, Code::power); });
  }

  /// `function` of each part of a sum, which is exp of `factor` times the part.
  template <class Function>
  std::optional<Parts> exponential(std::optional<Parts> sum, double factor,
                                   const Function& function) const {
    constexpr double largest_exponent = 10;
    if (!sum) return sum;
    for (const auto& part : *sum) {
      if (part.empty()) continue;
      const auto bounds = bounds_of(part, variables_);
      if (!(factor * (factor > 0 ? bounds.upper : bounds.lower) <= largest_exponent))
        return std::nullopt;
    }
    return each(std::move(sum), function);
  }

  /// 1 where the value is not 0, and else 0.
  std::optional<Parts> condition(std::size_t n) const {
    if (on_one_axis(n)) {
      return each(alone(n),
                  [](Codes part) { return joined(std::move(part), number(0), Code::not_equal); });
    }
    if (code_[n].code != Code::both) return std::nullopt;
    return combined(condition(before(n - 1)), condition(n - 1), Code::multiply, 1);
  }

  /// A bounded value where a condition holds, and else 0.
  std::optional<Parts> selection(std::size_t n) const {
    const auto value = n - 1, chosen = before(value), elsewhere = before(chosen);
    if (!is_number(elsewhere) || code_[elsewhere].a != 0) return std::nullopt;
    const auto bounds = bounds_of(text(value), variables_);
    if (!std::isfinite(bounds.lower) || !std::isfinite(bounds.upper)) return std::nullopt;
    return combined(condition(chosen), product(value), Code::multiply, 1);
  }

  const Codes& code_;
  const VariableBounds& variables_;
  std::vector<std::size_t> begin_;   ///< of the subformula that ends at an operation
  std::vector<std::uint32_t> axes_;  ///< whose coordinates it uses, one bit each
};

}  // namespace

std::optional<FormulaFactors> separated(const std::vector<FormulaOperation>& code,
                                        const VariableBounds& variables) {
  auto parts = Separator(code, variables).product(code.size() - 1);
  if (!parts) return std::nullopt;
  auto& [x, y, z, rest] = *parts;
  if (x.empty()) std::swap(x, rest);
  if (!rest.empty()) x = joined(std::move(rest), x, Code::multiply);
  FormulaFactors factors{std::move(x), std::move(y), std::move(z)};
  for (auto& factor : factors) {
    if (factor.empty()) factor = number(1);
    if (stack_of(factor) > formula_stack_limit) return std::nullopt;
  }
  return factors;
}

}  // namespace halotherm::solver
