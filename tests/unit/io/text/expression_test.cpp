// SPDX-License-Identifier: MIT
#include "io/text/expression.hpp"

#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace halotherm::io {
namespace {

using test::expect_part;

double value(const std::string& text, std::string_view allowed = "xyzt") {
  return Expression(text, allowed)({2, 3, 5}, 7);
}

std::string error_of(const std::string& text, std::string_view allowed = "xyz") {
  return test::usage_error([&] { Expression(text, allowed); });
}

TEST(Expression, arithmetic) {
  EXPECT_EQ(value("x + 10*y + 100*z + 1000*t"), 2 + 30 + 500 + 7000);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("-x^2"), -4);
  EXPECT_EQ(value("x < y ? 1 : -1"), 1);
  EXPECT_EQ(value("x == 2 && y != 2 || z >= 9"), 1);
  EXPECT_EQ(value("1.5e3"), 1500);
  EXPECT_EQ(value("42", ""), 42);
}

TEST(Expression, functions_and_constants) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("exp(x)"), std::exp(2.0));
  EXPECT_EQ(value("log(x)"), std::log(2.0));
  EXPECT_EQ(value("min(x, y, z) + max(x, y)"), 5);
  EXPECT_TRUE(std::isinf(value("1/(x - 2)")));
  EXPECT_TRUE(std::isnan(value("sqrt(-x)")));
}

TEST(Expression, has_the_functions_of_the_manual) {
  for (const std::string name :
       {"abs",  "acos", "acosh", "asin", "asinh", "atan", "atanh", "avg", "cos",
        "cosh", "exp",  "ln",    "log",  "log10", "log2", "max",   "min", "rint",
        "sign", "sin",  "sinh",  "sqrt", "sum",   "tan",  "tanh"}) {
    EXPECT_EQ(error_of(name + "(x)"), "") << name;
  }
  EXPECT_EQ(error_of("atan2(y, x)"), "");
}

TEST(Expression, knows_what_it_uses) {
  const Expression expression("x*exp(-t)", "xyzt");
  EXPECT_TRUE(expression.uses('x') && expression.uses('t'));
  EXPECT_FALSE(expression.uses('y') || expression.uses('e'));
}

TEST(Expression, moves_with_its_variables) {
  Expression first("x + t", "xyzt");
  Expression second = std::move(first);
  EXPECT_EQ(second({1, 0, 0}, 2), 3);
  first = std::move(second);
  EXPECT_EQ(first({3, 0, 0}, 4), 7);
}

TEST(Expression, mistakes_are_explained_with_their_place) {
  expect_part(error_of("300 + T"), "has \"T\" at character 7");
  expect_part(error_of("300 + T"), "use the variables x, y, z,");
  expect_part(error_of("x + t"), "has \"t\" at character 5");
  expect_part(error_of("sin(x"), "Missing parenthesis");
  expect_part(error_of("sin(x, y)"), "at character");
  expect_part(error_of("3 +"), "end of expression");
  expect_part(error_of("2x"), "at character 2");
  expect_part(error_of("x, y"), "several values");
  expect_part(error_of(""), "is empty");
  expect_part(error_of("  "), "is empty");
}

TEST(Expression, only_arithmetic) {
  expect_part(error_of("x = 3"), "assigns with = at character 3");
  expect_part(error_of("x += 3"), "assigns with =");
  expect_part(error_of("\"text\""), "quotation mark");
  expect_part(error_of("x + \xc3\xa9"), "ASCII");
  expect_part(error_of(std::string(5000, '1')), "too long");
  expect_part(error_of(std::string("x\0 + nonsense", 14)), "ASCII");
  expect_part(error_of("x\x7f"), "ASCII");
  expect_part(error_of("system(x)"), "at character");
  EXPECT_NE(error_of(std::string(2000, '(')), "");
}

}  // namespace
}  // namespace halotherm::io
