// SPDX-License-Identifier: MIT
#include "solver/formula/formula.hpp"
#include "tests/support/muparser.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

namespace halotherm::solver {
namespace {

const std::vector<FormulaValues> places{{{0.3, 0.7, -1.2, 5.5, 300}},
                                        {{1, 2, 3, 4, 5}},
                                        {{0, -0.0, 1e-9, 60, 1e3}},
                                        {{-2.5, 1e6, 7e-3, 0, 273.15}}};

double value(const Formula& formula, const FormulaValues& at) {
  return formula({at.of[0], at.of[1], at.of[2]}, at.of[3], at.of[4]);
}

bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}

void expect_as_muparser(const std::string& text) {
  const auto expected = test::muparser_values(text, places);
  ASSERT_TRUE(expected) << "muParser refuses " << text;
  const Formula formula(text, "xyztT");
  for (std::size_t n = 0; n < places.size(); ++n) {
    const double ours = value(formula, places[n]);
    EXPECT_TRUE(same(ours, (*expected)[n]))
        << text << " at place " << n << ": " << ours << " instead of " << (*expected)[n];
  }
}

/// Formulas at random, of the whole grammar.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string formula(int depth) {
    switch (depth <= 0 ? 0 : below(12)) {
      case 0:
      case 1:
        return operand();
      case 2:
        return "(" + formula(depth - 1) + ")";
      case 3:
        return one_of({"-", "+", "-"}) + tight(depth - 1);
      case 4:
        return tight(depth - 1) + "^" + one_of({"0", "1", "2", "3", "4", "0.5", "-1", "x", "-y"});
      case 5:
        return function(depth);
      case 6:
        return "(" + formula(depth - 1) + one_of({" ? ", "?"}) + formula(depth - 1) + ":" +
               formula(depth - 1) + ")";
      case 7:
        return "(" + comparison(depth) + one_of({"&&", "||"}) + comparison(depth) + ")";
      default:
        return formula(depth - 1) + one_of({"+", " - ", "*", " / ", "*", "+"}) + tight(depth - 1);
    }
  }

 private:
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }
  std::string one_of(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
  }
  std::string operand() {
    return one_of({"x", "y", "z", "t", "T", "x", "y", "2", "0.5", "3.75", "1e-3", "0", "pi", "e"});
  }
  std::string tight(int depth) {
    const auto inner = formula(depth);
    return inner.front() == '-' || inner.front() == '+' || below(2) == 0 ? "(" + inner + ")"
                                                                         : inner;
  }
  std::string comparison(int depth) {
    return "(" + formula(depth - 2) + one_of({"<", "<=", ">", ">=", "==", "!="}) +
           formula(depth - 2) + ")";
  }
  std::string function(int depth) {
    const auto many = below(3) == 0;
    if (!many) {
      return one_of({"abs",  "acos", "acosh", "asin", "asinh", "atan",  "atanh",
                     "cos",  "cosh", "exp",   "ln",   "log",   "log10", "log2",
                     "rint", "sign", "sin",   "sinh", "sqrt",  "tan",   "tanh"}) +
             "(" + formula(depth - 1) + ")";
    }
    if (below(4) == 0) return "atan2(" + formula(depth - 1) + "," + formula(depth - 1) + ")";
    auto list = one_of({"min", "max", "sum", "avg"}) + "(" + formula(depth - 1);
    for (int n = below(4); n > 0; --n) list += ", " + formula(depth - 1);
    return list + ")";
  }

  std::mt19937 random_;
};

TEST(FormulaReference, values_have_the_bits_of_muparser) {
  if (!test::has_muparser) GTEST_SKIP() << "muParser is not installed";
  Generator generator(19);
  constexpr int formulas = test::sanitized ? 2000 : 20000;
  for (int n = 0; n < formulas && !HasFailure(); ++n)
    expect_as_muparser(generator.formula(1 + n % 6));
}

TEST(FormulaReference, polynomials_are_simplified_alike) {
  if (!test::has_muparser) GTEST_SKIP() << "muParser is not installed";
  for (const std::string text : {"2*x*3",           "2*x/3",         "0.1*(0.2*x + 0.3)",
                                 "(0.1*x - 0.7)*3", "0.1*x + 0.2*x", "x - 0.1*x",
                                 "0.3 - x",         "x^2*x^3",       "x*x",
                                 "x^0 + 1",         "x^1*0.1",       "-x^2",
                                 "2^-x^2",          "2^3^0.5",       "1 - -x",
                                 "pi*2*x",          "2*pi*x",        "x*exp(1)*0.1",
                                 "sum(2)*x",        "min(2)*x",      "max(x, y, 3, z)",
                                 "sum(x)",          "avg(x, y, z)",  "x<y<z",
                                 "x==2==1",         "x ? -y : +z",   "x ? y ? 1 : 2 : 3",
                                 "x ? y : z + 1",   "1e-400 + x",    "1e-320*x",
                                 ".5*5.",           "x/3 + y/7",     "(x + 1)/3",
                                 "x*0 + 0/x",       "-0*x"}) {
    expect_as_muparser(text);
  }
}

TEST(FormulaReference, constants_are_true_unless_they_are_zero) {
  EXPECT_EQ(Formula("0.5 && 0.5", "")({0, 0, 0}, 0), 1);  // muParser rounds constants here
}

}  // namespace
}  // namespace halotherm::solver
