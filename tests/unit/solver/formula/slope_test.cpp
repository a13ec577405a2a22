// SPDX-License-Identifier: MIT
// How steeply formulas may fall with the temperature: never less than they do, and seldom more.
#include "solver/formula/slope.hpp"

#include "solver/formula/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace halotherm::solver {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

VariableBounds within(double lower, double upper) {
  return {Bounds{-1, 1}, Bounds{0, 2}, Bounds{0, 0}, Bounds{0, 10}, Bounds{lower, upper}};
}

double fall_of(const std::string& text, double lower = 0, double upper = infinite) {
  return steepest_fall(Formula(text, formula_variables).code(), within(lower, upper));
}

TEST(SlopeOf, WhatIsLinearInTheTemperatureFallsAsItDoes) {
  EXPECT_EQ(fall_of("-2e3*(T - 310)"), 2e3);
  EXPECT_EQ(fall_of("1e6*(1 + 0.004*(T - 300))"), 0);
  EXPECT_EQ(fall_of("5*x - T*y"), 2);
  EXPECT_EQ(fall_of("-T*exp(-t)"), 1);
  EXPECT_EQ(fall_of("x > 0 ? -3*T : 7*T"), 3);
  EXPECT_EQ(fall_of("max(0, 300 - T)"), 1);
  EXPECT_EQ(fall_of("abs(T - 300)"), 1);
  EXPECT_EQ(fall_of("-T/(3 + y)"), 1 / 3.0);
}

TEST(SlopeOf, WhatDoesNotDependOnTheTemperatureDoesNotFall) {
  for (const auto* text : {"x^y", "1/x", "log(x) + tan(y)", "T > 400", "sign(T) + rint(T)", "5"})
    EXPECT_EQ(fall_of(text), 0) << text;
}

TEST(SlopeOf, WhatFallsWithoutBoundNeedsARange) {
  for (const auto* text :
       {"-5.67e-8*T^4", "-T^2", "-T^1.5", "5e5/(1 + 0.004*(T - 300))", "-log(T)", "-exp(T/100)"}) {
    EXPECT_EQ(fall_of(text), infinite) << text;
    EXPECT_LT(fall_of(text, 250, 600), infinite) << text;
  }
}

/// Against differences at many temperatures of the range, and places.
TEST(SlopeOf, IsABoundAndCloseToIt) {
  for (const auto* text :
       {"-5.67e-8*T^4", "-T^2 + 300*T", "-T^1.5", "5e5/(1 + 0.004*(T - 300))", "-log(T)*7",
        "(T - 300)*exp(-(T - 300)/50)", "-sqrt(T)", "300*tanh((400 - T)/30)", "-2^(T/50)",
        "-(T/300)^-1.3*(T - 280)", "100*atan((400 - T)/9)", "-cosh(T/200)", "T^3/900 - T^2"}) {
    const Formula formula(text, formula_variables);
    constexpr int points = 5000;
    double steepest = 0;
    const auto at = [&](int n) { return formula({0.3, 0.7, 0}, 2, 250 + 350.0 * n / points); };
    for (int n = 0; n < points; ++n)
      steepest = std::max(steepest, (at(n) - at(n + 1)) / (350.0 / points));
    const double bound = fall_of(text, 250, 600);
    EXPECT_GE(bound, steepest * (1 - 1e-9)) << text;
    EXPECT_LE(bound, 1.2 * steepest) << text;
  }
}

TEST(SlopeOf, OfFunctionsThatOscillateIsThatOfTheirArgument) {
  EXPECT_EQ(fall_of("sin(T)"), 1);
  EXPECT_EQ(fall_of("4*cos(T/2)", 250, 600), 2);
}

}  // namespace
}  // namespace halotherm::solver
