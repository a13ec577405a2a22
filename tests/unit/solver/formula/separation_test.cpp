// SPDX-License-Identifier: MIT
#include "solver/formula/separation.hpp"

#include "solver/formula/code_builder.hpp"
#include "solver/formula/formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace halotherm::solver {
namespace {

/// A grid from -1 to 2 along x, from 0 to 3 along y and z, from t = 0 on.
const VariableBounds grid{Bounds{-1, 2}, Bounds{0, 3}, Bounds{0, 3}, Bounds{0}, Bounds{}};

std::optional<FormulaFactors> factors_of(const std::string& text) {
  return separated(Formula(text, "xyzt").code(), grid);
}

bool uses(const std::vector<FormulaOperation>& code, std::uint8_t variable) {
  for (const auto& operation : code) {
    const bool operand = formula_arity(operation.code) == 0;
    if (operand && operation.code != FormulaCode::number && operation.variable == variable)
      return true;
  }
  return false;
}

/// Whether the formula is a product of factors of one coordinate each.
void expect_product(const std::string& text) {
  const auto factors = factors_of(text);
  ASSERT_TRUE(factors.has_value()) << text;
  const Formula formula(text, "xyzt");
  for (std::uint8_t axis = 0; axis < 3; ++axis) {
    for (std::uint8_t other = 0; other < 3; ++other)
      EXPECT_TRUE(axis == other || !uses((*factors)[axis], other)) << text;
  }
  for (const FormulaValues& at :
       {FormulaValues{{0.3, 0.7, 1.1, 0.4, 0}}, FormulaValues{{-0.9, 2.2, 0.2, 7.5, 0}},
        FormulaValues{{1.9, 0.1, 2.7, 0, 0}}}) {
    double product = 1;
    for (const auto& code : *factors)
      product *= evaluate(code.data(), static_cast<int>(code.size()), at);
    const double value = formula({at.of[0], at.of[1], at.of[2]}, at.of[3]);
    EXPECT_NEAR(product, value, 1e-12 * std::abs(value)) << text;
  }
}

void expect_none(const std::string& text) {
  EXPECT_FALSE(factors_of(text).has_value()) << text;
}

TEST(Separation, FindsAMovingGaussian) {
  expect_product("1e9*exp(-((x - 0.1*t)^2 + (y - 0.5)^2 + z^2)/(2*0.3^2))");
  expect_product("2e12*exp(-2*((x - t)^2 + (y - 0.2*sin(t))^2)/0.1^2 - z/0.01)");
  expect_product("(1 + t)*exp(-x^2/(1 + t))*exp(-(y^2 + z^2)/(1 + t))/(1 + t)^1.5");
  expect_product("5*e^(-(x^2 + y^2)*(1 + t))");
}

TEST(Separation, FindsProductsQuotientsAndPowers) {
  expect_product("sin(x + t)*cos(3*y)*z");
  expect_product("-(x*y*t)");
  expect_product("(x*(1 + y))^2/(1 + z*z)^3");
  expect_product("sin(x*t)");
  expect_product("300 + t + 7*y");
}

TEST(Separation, FindsMovingBoxes) {
  expect_product("abs(x - t) < 0.5 && y < 1 && z < t ? 1e9 : 0");
  expect_product("(abs(x - t) < 0.5 && y < 1)*3e8");
  expect_product("x < t && y < 2 ? exp(-z) : 0");
}

TEST(Separation, LeavesSums) {
  expect_none("x + y*t");
  expect_none("1 + exp(-x^2 - y^2 - t)");
  expect_none("sin(x*y + t)");
  expect_none("sqrt(x^2 + y^2) < t ? 1 : 0");
  expect_none("x < t && y < 1 ? 2 : 1");
  expect_none("x < t || y < 1 ? 2 : 0");
  expect_none("max(x*t, y)");
}

TEST(Separation, LeavesFactorsThatCouldOverflow) {
  expect_none("exp(1000*x - 2000*y + t - t)");
  expect_none("exp((x - t)^2 - y^2)");
  expect_none("exp(t)*exp(t*x - t*y)");
  expect_none("(x*y)^200*t");
  expect_none("x < t && y > 1 ? 1/(y - 1) : 0");
  expect_product("exp(x + y)*t");  // at most e^5 on this grid
}

TEST(Separation, LeavesFactorsThatNeedTooLongAStack) {
  std::string nested = "x";
  while (stack_of(Formula(nested, "xt").code()) < formula_stack_limit)
    nested = "t*x + (" + nested + ")";
  expect_product(nested);
  expect_none("(" + nested + ")*y*t");  // the factor in x begins with t
}

TEST(BoundsOf, HoldEveryValue) {
  for (const std::string text :
       {"x*y - z^2", "abs(x)/(1 + y)", "x^3 + z^4", "x < y ? x : 2*y", "exp(-x)*cosh(z)",
        "min(x, y) + max(x, z)", "sqrt(y) - tanh(x)", "(x - y)^2", "2^x", "-x*x", "x/y", "(x+y)^-2",
        "rint(x)", "atan2(x, y)", "x > y && y > z", "sin(x)*sign(x)"}) {
    const Formula formula(text, "xyzt");
    const auto bounds = bounds_of(formula.code(), grid);
    for (double x = -1; x <= 2; x += 0.25) {
      for (double y = 0; y <= 3; y += 0.25) {
        const double value = formula({x, y, 1.5}, 0);
        EXPECT_FALSE(value < bounds.lower || value > bounds.upper)
            << text << " at " << x << ' ' << y;
      }
    }
  }
}

TEST(BoundsOf, AreTightWhereSeparationNeedsThem) {
  const auto bounds = [](const std::string& text) {
    return bounds_of(Formula(text, "xyzt").code(), grid);
  };
  EXPECT_EQ(bounds("-(x - t)^2/2").upper, 0);
  EXPECT_EQ(bounds("-y/0.1").upper, 0);
  EXPECT_EQ(bounds("x*x").upper, 4);
  EXPECT_TRUE(std::isinf(bounds("t*x").lower));
}

}  // namespace
}  // namespace halotherm::solver
