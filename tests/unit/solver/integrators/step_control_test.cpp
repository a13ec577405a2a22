// SPDX-License-Identifier: MIT
// The controller on errors that grow with a power of the step.
#include "solver/integrators/step_control.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace halotherm::solver {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The full step after some steps whose error is `factor` dt^`order`.
double settled(Method method, double tolerance, double factor, int order, double dt) {
  StepControl control(method, tolerance, 1e6);
  for (int n = 0; n < 50; ++n) dt = control.judge(dt, dt, factor * std::pow(dt, order)).dt;
  return dt;
}

/// Errors of 3 dt^order end between this share of the tolerance and all of it.
void expect_settled(Method method, int order, double least_share) {
  constexpr double tolerance = 0.01;
  for (const double first : {1e-9, 1.0, 1e5}) {
    const double error = 3 * std::pow(settled(method, tolerance, 3, order, first), order);
    EXPECT_GT(error, least_share * tolerance) << first;
    EXPECT_LT(error, tolerance) << first;
  }
}

TEST(StepControl, FindsTheStepOfTheTolerance) {
  expect_settled(Method::rkl2, 3, 0.3);
  expect_settled(Method::rk2, 2, 0.3);
}

TEST(StepControl, ImplicitStepsFindIt) {
  // a length that may grow by less than 1.2 stays: 0.75^8 and 0.75^(16/3) of the tolerance
  expect_settled(Method::tr_bdf2, 3, 0.1);
  expect_settled(Method::backward_euler, 2, 0.1);
}

TEST(StepControl, ImplicitStepsKeepTheirMatrixUnlessTheyGrowByMuch) {
  const auto next = [](Method method, double error) {
    return StepControl(method, 1, infinity, error).judge(1, 1, error).dt;
  };
  for (const auto& [implicit, explicit_one] :
       {std::pair(Method::backward_euler, Method::rk2), std::pair(Method::tr_bdf2, Method::rkl2)}) {
    int kept = 0, grown = 0;
    for (double error = 1; error > 0.01; error *= 0.9) {
      const double usual = next(explicit_one, error);
      const bool keeps = usual > 1 && usual < 1.2;
      EXPECT_EQ(next(implicit, error), keeps ? 1 : usual);
      (keeps ? kept : grown) += usual > 1;
    }
    EXPECT_GT(kept, 0);
    EXPECT_GT(grown, 0);
  }
}

TEST(StepControl, AcceptsErrorsUpToTheTolerance) {
  StepControl control(Method::rkl2, 0.5, 10);
  EXPECT_TRUE(control.judge(1, 1, 0.5).accepted);
  EXPECT_EQ(control.last_error(), 1);
  const auto verdict = control.judge(1, 1, 0.51);
  EXPECT_FALSE(verdict.accepted);
  EXPECT_LT(verdict.dt, 1);
  EXPECT_EQ(control.last_error(), 1) << "of accepted steps alone";
  EXPECT_FALSE(control.judge(1, 1, infinity).accepted);
  EXPECT_EQ(control.judge(1, 1, infinity).dt, 0.2);
}

TEST(StepControl, DoesNotGrowAtOnceAfterARejectedStep) {
  StepControl control(Method::rkl2, 1, 100);
  control.judge(1, 1, 2);
  EXPECT_EQ(control.judge(0.5, 0.5, 0).dt, 0.5);
  EXPECT_GT(control.judge(0.5, 0.5, 0).dt, 0.5);
}

TEST(StepControl, StaysBelowTheLongestStepAndGrowsByAtMostFive) {
  StepControl control(Method::rk2, 1, 8);
  EXPECT_EQ(control.judge(1, 1, 0).dt, 5);
  EXPECT_EQ(control.judge(5, 5, 0).dt, 8);
}

TEST(StepControl, AShortenedStepKeepsTheFullOneWhereThatFits) {
  StepControl control(Method::rkl2, 1, 100);
  EXPECT_EQ(control.judge(0.01, 1, 0.4e-6).dt, 1);
  EXPECT_LT(control.judge(0.01, 1, 0.6e-6).dt, 1);
  EXPECT_LT(control.judge(0.01, 1, 1).dt, 0.01);
}

TEST(StepControl, GoesOnFromItsLastError) {
  StepControl whole(Method::rkl2, 0.1, 100);
  double dt = whole.judge(1, 1, 0.03).dt;
  StepControl resumed(Method::rkl2, 0.1, 100, whole.last_error());
  EXPECT_EQ(whole.judge(dt, dt, 0.07).dt, resumed.judge(dt, dt, 0.07).dt);
}

}  // namespace
}  // namespace halotherm::solver
