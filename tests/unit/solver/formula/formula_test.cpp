// SPDX-License-Identifier: MIT
#include "solver/formula/formula.hpp"

#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace halotherm::solver {
namespace {

using test::expect_part;

double value(const std::string& text, std::string_view allowed = "xyzt") {
  return Formula(text, allowed)({2, 3, 5}, 7);
}

std::string error_of(const std::string& text, std::string_view allowed = "xyz") {
  return test::usage_error([&] { Formula(text, allowed); });
}

TEST(FormulaOf, arithmetic) {
  EXPECT_EQ(value("x + 10*y + 100*z + 1000*t"), 2 + 30 + 500 + 7000);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("x < y ? 1 : -1"), 1);
  EXPECT_EQ(value("x == 2 && y != 2 || z >= 9"), 1);
  EXPECT_EQ(value("1.5e3"), 1500);
  EXPECT_EQ(value("42", ""), 42);
}

TEST(FormulaOf, functions_and_constants) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("exp(x)"), std::exp(2.0));
  EXPECT_EQ(value("log(x)"), std::log(2.0));
  EXPECT_EQ(value("min(x, y, z) + max(x, y)"), 5);
  EXPECT_TRUE(std::isinf(value("1/(x - 2)")));
  EXPECT_TRUE(std::isnan(value("sqrt(-x)")));
}

TEST(FormulaOf, has_the_functions_of_the_manual) {
  for (const std::string name :
       {"abs",  "acos", "acosh", "asin", "asinh", "atan", "atanh", "avg", "cos",
        "cosh", "exp",  "ln",    "log",  "log10", "log2", "max",   "min", "rint",
        "sign", "sin",  "sinh",  "sqrt", "sum",   "tan",  "tanh"}) {
    EXPECT_EQ(error_of(name + "(x)"), "") << name;
  }
  EXPECT_EQ(error_of("atan2(y, x)"), "");
}

TEST(FormulaOf, knows_what_it_uses) {
  const Formula formula("x*exp(-t)", "xyzt");
  EXPECT_TRUE(formula.uses('x') && formula.uses('t'));
  EXPECT_FALSE(formula.uses('y') || formula.uses('e'));
}

TEST(FormulaOf, moves_with_its_variables) {
  Formula first("x + t", "xyzt");
  Formula second = std::move(first);
  EXPECT_EQ(second({1, 0, 0}, 2), 3);
  first = std::move(second);
  EXPECT_EQ(first({3, 0, 0}, 4), 7);
}

TEST(FormulaOf, mistakes_are_explained_with_their_place) {
  expect_part(error_of("300 + T"), "has \"T\" at character 7");
  expect_part(error_of("300 + T"), "use the variables x, y, z,");
  expect_part(error_of("x + t"), "has \"t\" at character 5");
  expect_part(error_of("sin(x"), "at character 4 (the parenthesis is not closed)");
  expect_part(error_of("sin(x, y)"), "at character 1 (sin takes 1 argument, not 2)");
  expect_part(error_of("3 +"), "at character 4 (a value is missing at its end)");
  expect_part(error_of("2x"), "at character 2 (no operator comes before it)");
  expect_part(error_of("2 * (x + 1))"), "at character 12 (no ( comes before it)");
  expect_part(error_of("min(1, )"), "at character 8 (a value is missing before the ))");
  expect_part(error_of("sin()"), "sin takes 1 argument, not 0");
  expect_part(error_of("max()"), "max takes at least 1 argument, not 0");
  expect_part(error_of("atan2(y)"), "atan2 takes 2 arguments, not 1");
  expect_part(error_of("sin*2"), "at character 1 (sin is a function); write its argument");
  expect_part(error_of("x * / y"), "at character 5 (no value comes before the /)");
  expect_part(error_of("--x"), "at character 2 (one sign follows another)");
  expect_part(error_of("x < 1 ? 2"), "at character 7 (the condition has no second value)");
  expect_part(error_of("x : 2"), "at character 3 (no ? comes before the :)");
  expect_part(error_of("1e400"), "the number is too large");
  expect_part(error_of("2e + x"), "at character 1 (this is no number)");
  expect_part(error_of("x & y"), "has \"&\" at character 3 (it is not known here)");
  expect_part(error_of("x, y"), "several values");
  expect_part(error_of(""), "is empty");
  expect_part(error_of("  "), "is empty");
}

TEST(FormulaOf, only_arithmetic) {
  expect_part(error_of("x = 3"), "assigns with = at character 3");
  expect_part(error_of("x += 3"), "assigns with =");
  expect_part(error_of("\"text\""), "quotation mark");
  expect_part(error_of("x + \xc3\xa9"), "ASCII");
  expect_part(error_of(std::string(5000, '1')), "too long");
  expect_part(error_of(std::string("x\0 + nonsense", 14)), "ASCII");
  expect_part(error_of("x\x7f"), "ASCII");
  expect_part(error_of("system(x)"), "at character");
  expect_part(error_of(std::string(2000, '(')), "nested too deeply");
}

TEST(FormulaOf, nesting_is_limited_by_the_stack_of_a_kernel) {
  std::string right = "x";
  for (int n = 1; n < 40; ++n) right = "x*y + (" + right + ")";
  expect_part(error_of(right), "more than 32 values at a time");
  std::string left = "x";
  for (int n = 1; n < 200; ++n) left = "(" + left + ") + x*y";
  EXPECT_EQ(error_of(left), "");
}

TEST(FormulaOf, has_as_many_pieces_as_fit_its_text) {
  std::string pieces;
  for (int n = 0; n < 300; ++n) pieces += "t<" + std::to_string(n) + "?" + std::to_string(n) + ":";
  const Formula formula(pieces + "-1", "t");
  EXPECT_EQ(formula({0, 0, 0}, 0), 1);
  EXPECT_EQ(formula({0, 0, 0}, 201.5), 202);
  EXPECT_EQ(formula({0, 0, 0}, 1e4), -1);
}

TEST(FormulaOf, temperature_is_a_variable_where_it_is_allowed) {
  const Formula formula("148*(T/300)^-1.3", "T");
  EXPECT_EQ(formula({0, 0, 0}, 0, 300), 148);
  EXPECT_TRUE(formula.uses('T'));
  EXPECT_FALSE(formula.uses('t') || formula.uses_position());
}

TEST(FormulaOf, blanks_are_free) {
  EXPECT_EQ(value(" min ( x ,\ty )\n+ 1 "), 3);
}

}  // namespace
}  // namespace halotherm::solver
