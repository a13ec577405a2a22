// SPDX-License-Identifier: MIT
// The stages against the formulas of their papers, by their effect on y' = z y + f(t).
#include "solver/integrators/scheme.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace halotherm::solver {
namespace {

using Fields = std::array<double, Scheme::most_fields>;

/// The fields after the last of `steps` steps of y' = rate(t, y) from t = 0 to 1, from `start`, and
/// the one that holds the result.
template <class Rate>
std::pair<Fields, int> taken(const Scheme& scheme, int stages, int steps, double start,
                             const Rate& rate) {
  Fields Y{};
  Y.fill(std::nan(""));
  Y[0] = start;
  int result = 0;
  const double dt = 1.0 / steps;
  const auto of = [&](int n) -> double& { return Y[static_cast<std::size_t>(n)]; };
  for (int step = 0; step < steps; ++step) {
    Y[0] = of(result);
    for (int n = 0; n < stages; ++n) {
      const auto s = scheme.stage(n, stages);
      const double t = (step + s.at) * dt, y = of(s.from);
      const double increment = s.rate * dt * rate(t, y);
      double value = y + increment;
      if (!s.first_of_step)
        value = Y[0] + s.input * (y - Y[0]) + s.older * (of(s.older_field) - Y[0]) +
                s.first * (Y[Scheme::first_field] - Y[0]) + increment;
      of(s.to) = value;
      result = s.to;
    }
  }
  return {Y, result};
}

/// y(1), taken through the fields.
template <class Rate>
double solution(const Scheme& scheme, int stages, int steps, double start, const Rate& rate) {
  const auto [Y, result] = taken(scheme, stages, steps, start, rate);
  return Y[static_cast<std::size_t>(result)];
}

/// The factor by which a step multiplies y where y' = z y/dt.
double stability_polynomial(const Scheme& scheme, int stages, double z) {
  return solution(scheme, stages, 1, 1.0, [&](double, double y) { return z * y; });
}

double legendre(int n, double x) {
  double before = 1, p = x;
  for (int j = 2; j <= n; ++j) {
    const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
    before = p;
    p = next;
  }
  return p;
}

TEST(Scheme, StabilityPolynomialsAreThoseOfThePapers) {
  for (const double z : {-0.3, -1.0, -1.9, 0.2}) {
    EXPECT_NEAR(stability_polynomial(Scheme(Method::euler), 1, z), 1 + z, 1e-15);
    EXPECT_NEAR(stability_polynomial(Scheme(Method::rk2), 2, z), 1 + z + z * z / 2, 1e-15);
  }
  for (const int s : {3, 5, 9, 15, 49, 99}) {
    const double w = 4.0 / (s * s + s - 2), b = (s * s + s - 2) / (2.0 * s * (s + 1));
    for (const double share : {0.0, 0.01, 0.3, 0.77, 1.0}) {
      const double z = -share * 2 / w;
      EXPECT_NEAR(stability_polynomial(Scheme(Method::rkl2), s, z),
                  1 - b + b * legendre(s, 1 + w * z), 1e-13 * s)
          << s << " stages, z = " << z;
    }
  }
}

TEST(Scheme, NoWaveGrowsUpToTheBoundAndOneDoesAbove) {
  for (const int s : {3, 5, 9, 15, 49, 99}) {
    const double longest = 2 * Scheme::stretch(s);
    for (int n = 0; n <= 1000; ++n)
      EXPECT_LE(std::abs(stability_polynomial(Scheme(Method::rkl2), s, -longest * n / 1000)), 1)
          << s << " stages";
    EXPECT_GT(std::abs(stability_polynomial(Scheme(Method::rkl2), s, -1.2 * longest)), 1);
  }
}

/// The order between the last two of three refinements.
double order(const Scheme& scheme, int stages) {
  // the solution is sin(3 t) + exp(-t); sources and coefficient change with time
  const auto exact = [](double t) { return std::sin(3 * t) + std::exp(-t); };
  const auto rate = [&](double t, double y) {
    const double k = 1 + std::cos(2 * t);
    return -k * (y - exact(t)) + 3 * std::cos(3 * t) - std::exp(-t);
  };
  const auto error = [&](int steps) {
    return std::abs(solution(scheme, stages, steps, 1.0, rate) - exact(1));
  };
  return std::log2(error(64) / error(128));
}

TEST(Scheme, OrdersWithConditionsThatChangeWithTime) {
  EXPECT_NEAR(order(Scheme(Method::euler), 1), 1, 0.03);
  EXPECT_NEAR(order(Scheme(Method::rk2), 2), 2, 0.03);
  for (const int s : {3, 5, 9, 15, 99}) EXPECT_NEAR(order(Scheme(Method::rkl2), s), 2, 0.03) << s;
}

TEST(Scheme, StagesTakeTheirConditionsAtTheTimesOfTheirInputs) {
  for (const int s : {3, 9, 15}) {  // y = t is met by every stage, at any time
    const auto rate = [](double t, double y) { return 1 + 5 * (t - y); };
    EXPECT_NEAR(solution(Scheme(Method::rkl2), s, 3, 0.0, rate), 1, 1e-14);
  }
  EXPECT_NEAR(
      solution(Scheme(Method::rk2), 2, 3, 0.0, [](double t, double y) { return 1 + t - y; }), 1,
      1e-14);
}

/// A flow that changes with time, counted by the weights, is what the temperature gains.
TEST(Scheme, WeightsOfTheRatesAreThoseOfTheStep) {
  EXPECT_EQ(Scheme(Method::euler).weight(0, 1), 1);
  EXPECT_EQ(Scheme(Method::rk2).weight(0, 2), 0.5);
  EXPECT_EQ(Scheme(Method::rk2).weight(1, 2), 0.5);
  const auto rate = [](double t, double) { return std::exp(t); };
  for (const int s : {3, 5, 15, 99}) {
    const Scheme rkl2(Method::rkl2);
    double total = 0, flow = 0;
    for (int n = 0; n < s; ++n) {
      total += rkl2.weight(n, s);
      flow += rkl2.weight(n, s) * rate(rkl2.stage(n, s).at, 0);
    }
    EXPECT_NEAR(total, 1, 1e-12) << s;
    EXPECT_NEAR(flow, solution(rkl2, s, 1, 0.0, rate), 1e-12) << s;
  }
}

TEST(Scheme, AConstantStaysToTheLastBit) {
  const auto none = [](double, double) { return 0.0; };
  for (const int s : {3, 15, 99})
    EXPECT_EQ(solution(Scheme(Method::rkl2), s, 7, 293.15, none), 293.15);
  EXPECT_EQ(solution(Scheme(Method::rk2), 2, 7, 293.15, none), 293.15);
}

/// The estimated error of one step of y' = z y.
double estimated_error(const Scheme& scheme, int stages, double z) {
  const auto Y = taken(scheme, stages, 1, 1.0, [&](double, double y) { return z * y; }).first;
  const auto estimate = scheme.error_estimate(stages);
  const auto increment = [&](int n) { return Y[static_cast<std::size_t>(n)] - Y[0]; };
  return estimate.of_result * increment(estimate.result) +
         estimate.of_last * increment(estimate.last) +
         estimate.of_first * increment(Scheme::first_field);
}

TEST(Scheme, TheEstimatedErrorOfRkl2IsItsErrorWhereThatIsSmall) {
  for (const int s : {3, 5, 9, 15, 49, 99}) {
    const Scheme rkl2(Method::rkl2, 1, true);
    for (const double z : {-0.02, -0.01}) {
      const double error = std::exp(z) - stability_polynomial(rkl2, s, z);
      EXPECT_NEAR(estimated_error(rkl2, s, z) / error, 1, 1.5 * std::abs(z)) << s << " stages";
    }
  }
}

TEST(Scheme, TheEstimatedErrorOfRk2IsThatOfEuler) {
  for (const double z : {-0.2, -0.1})
    EXPECT_NEAR(estimated_error(Scheme(Method::rk2, 1, true), 2, z), z * z / 2, 1e-15);
}

/// With the same bits as where it is overwritten.
TEST(Scheme, AKeptTemperatureIsNotOverwritten) {
  const auto rate = [](double t, double y) { return t - 2 * y; };
  for (const auto& [method, stages] :
       {std::pair{Method::rk2, 2}, {Method::rkl2, 3}, {Method::rkl2, 5}, {Method::rkl2, 15}}) {
    const auto [Y, result] = taken(Scheme(method, 1, true), stages, 1, 3.0, rate);
    EXPECT_EQ(Y[0], 3.0);
    EXPECT_EQ(result, Scheme(method, 1, true).error_estimate(stages).result);
    EXPECT_LT(result, Scheme(method, 1, true).fields());
    EXPECT_EQ(solution(Scheme(method, 1, true), stages, 4, 3.0, rate),
              solution(Scheme(method), stages, 4, 3.0, rate));
  }
}

TEST(Scheme, StagesFollowFromTheStep) {
  const Scheme rkl2(Method::rkl2, 0.5);
  EXPECT_EQ(Scheme(Method::euler).stages(1), 1);
  EXPECT_EQ(Scheme(Method::rk2).stages(1), 2);
  EXPECT_EQ(rkl2.stages(0), 3);
  for (const int s : {3, 5, 9, 15, 25, 97}) {
    EXPECT_EQ(rkl2.stages(0.5 * Scheme::stretch(s)), s);
    EXPECT_EQ(rkl2.stages(0.501 * Scheme::stretch(s)), s + 2);
  }
}

TEST(Scheme, NoStageWritesItsInputOrAFieldThatIsReadLater) {
  for (const int count : {3, 5, 15}) {
    std::array<int, Scheme::most_fields> holds{0, -1, -1, -1};  // number of the stage's result
    for (int n = 0; n < count; ++n) {
      const auto s = Scheme(Method::rkl2).stage(n, count);
      EXPECT_NE(s.to, s.from);
      EXPECT_EQ(holds[static_cast<std::size_t>(s.from)], n);
      EXPECT_EQ(holds[0], 0);
      if (!s.first_of_step) {
        EXPECT_EQ(holds[static_cast<std::size_t>(s.older_field)], n - 1);
        EXPECT_EQ(holds[Scheme::first_field], 1);
      }
      holds[static_cast<std::size_t>(s.to)] = n + 1;
    }
    EXPECT_EQ(holds[0], count);
  }
}

TEST(Scheme, CountsValuesThatMustMove) {
  EXPECT_EQ(Scheme(Method::euler).values_per_cell(1), 2);
  EXPECT_EQ(Scheme(Method::rk2).values_per_cell(2), 2 + 3);
  EXPECT_EQ(Scheme(Method::rkl2).values_per_cell(5), 2 + 3 + 4 + 5 + 5);
}

}  // namespace
}  // namespace halotherm::solver
