// SPDX-License-Identifier: MIT
// What a choice among integrators is made of: fewer cells, errors of runs, predictions.
#include "app/run/integrator_choice.hpp"

#include "app/run/integrator_choice_text.hpp"
#include "app/run/pilot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halotherm::app {
namespace {

using solver::Method;

Config config_of(const std::string& grid, const std::string& time =
                                              "{end: 0.1, integrator: auto, "
                                              "tolerance: 0.01}") {
  return parse_config("grid: " + grid +
                          "\nmaterials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
                          "initial: {temperature: \"300 + 10*cos(pi*x)\"}\n"
                          "time: " +
                          time + "\n",
                      "test", {});
}

TEST(Pilot, JoinsEvenCells) {
  const auto few = coarser(config_of("{cells: [512, 101, 6], upper: [1, 1, 1]}"), 4096);
  EXPECT_EQ(few.grid.cells, (std::vector<int>{16, 26, 6}));
  const auto same = coarser(config_of("{cells: [16, 16], upper: [1, 1]}"), 4096);
  EXPECT_EQ(same.grid.cells, (std::vector<int>{16, 16}));
}

TEST(Pilot, KeepsThinLayers) {
  const auto few = coarser(
      config_of("{x: {cells: 64, upper: 1}, y: {layers: [[1, 32], [1e-3, 1], [1, 33]]}}"), 64);
  ASSERT_EQ(few.grid.cells.size(), 2u);
  ASSERT_TRUE(few.grid.faces[1]);
  const auto& faces = *few.grid.faces[1];
  EXPECT_EQ(faces.size(), static_cast<std::size_t>(few.grid.cells[1]) + 1);
  double thinnest = 1;
  for (std::size_t n = 1; n < faces.size(); ++n)
    thinnest = std::min(thinnest, faces[n] - faces[n - 1]);
  EXPECT_NEAR(thinnest, 1e-3, 1e-12);
  EXPECT_DOUBLE_EQ(faces.back(), 2.001);
  EXPECT_LE(few.grid.cells[0] * few.grid.cells[1], 64);
}

/// Of the first of 32 cells: the wave cos(pi x) between insulated sides decays by exp(-pi² t), on
/// cells by a little less.
double first_of_wave(double time) {
  const double half = std::acos(-1) / 64;
  return 300 + 10 * std::cos(half) * std::exp(-4 * 32 * 32 * std::pow(std::sin(half), 2) * time);
}

TEST(Pilot, RunsHaveTheErrorsOfTheirOrders) {
  Pilot pilot(config_of("{cells: [32, 4], upper: [1, 1]}"));
  const auto error = [&](Method method, int steps) {
    const auto run = pilot.run(method, steps);
    if (!run) return std::nan("");
    const auto& values = run->temperatures;
    EXPECT_EQ(values.size(), 32u * 4 * Pilot::samples);
    EXPECT_EQ(run->lengths.size(), static_cast<std::size_t>(steps));
    double largest = 0;
    for (int sample = 1; sample <= Pilot::samples; ++sample) {
      const double exact = first_of_wave(0.1 * sample / Pilot::samples);
      const auto first = 32 * 4 * static_cast<std::size_t>(sample - 1);
      largest = std::max(largest, std::abs(values[first] - exact));
    }
    return largest;
  };
  const auto order = [&](Method method, int steps) {
    return std::log2(error(method, steps) / error(method, 2 * steps));
  };
  EXPECT_NEAR(order(Method::crank_nicolson, 64), 2, 0.2);
  EXPECT_NEAR(order(Method::backward_euler, 64), 1, 0.1);
  EXPECT_NEAR(order(Method::euler, 512), 1, 0.05);
  EXPECT_TRUE(std::isnan(error(Method::euler, 16))) << "it is not stable";
}

/// Of the same times: what differs are the errors, of which halved steps have a fourth or less.
TEST(Pilot, HalvesStepsThatFollowATolerance) {
  Pilot pilot(config_of("{cells: [32, 4], upper: [1, 1]}"));
  const auto errors = [&](const PilotRun& run, const std::vector<double>& times) {
    double largest = 0;
    for (std::size_t n = 0; n < times.size(); ++n)
      largest = std::max(largest, std::abs(run.temperatures[32 * 4 * n] - first_of_wave(times[n])));
    return largest;
  };
  for (const double tolerance : {0.1, 0.01}) {
    const auto run = pilot.run_within(Method::tr_bdf2, tolerance, 1000);
    ASSERT_TRUE(run);
    std::vector<double> times;
    double time = 0;
    for (const double length : run->lengths) {
      const double before = std::floor(Pilot::samples * time / 0.1 * (1 + 1e-9));
      time += length;
      if (Pilot::samples * time / 0.1 * (1 + 1e-9) >= before + 1) times.push_back(time);
    }
    EXPECT_NEAR(time, 0.1, 1e-12);
    ASSERT_EQ(run->temperatures.size(), 32 * 4 * times.size());
    const auto halved = pilot.run_halved(Method::tr_bdf2, run->lengths);
    ASSERT_TRUE(halved);
    ASSERT_EQ(halved->temperatures.size(), run->temperatures.size());
    EXPECT_EQ(halved->lengths.size(), run->lengths.size());
    EXPECT_LT(errors(*halved, times), 0.35 * errors(*run, times)) << tolerance;
    EXPECT_GT(errors(*run, times), 0);
  }
  EXPECT_FALSE(pilot.run_within(Method::tr_bdf2, 0.01, 3)) << "more steps than allowed";
}

TEST(ErrorSearch, FindsTheToleranceOfAStepForTheErrorOfARun) {
  const comm::Communicator world(MPI_COMM_WORLD);
  Pilot pilot(config_of("{cells: [8, 4], upper: [1, 1]}"));
  const auto found = [&](double error) {
    return ErrorSearch(world, pilot, error).measure_tolerance({Method::tr_bdf2, 2}, 2);
  };
  double before = std::numeric_limits<double>::infinity();
  for (const double error : {0.01, 0.003}) {
    const auto result = found(error);
    ASSERT_FALSE(result.run.lengths.empty()) << error;
    EXPECT_LE(result.error, error);
    EXPECT_GE(result.error, 0.2 * error);
    EXPECT_LT(result.tolerance, before);
    before = result.tolerance;
  }
  EXPECT_LT(found(1e6).tolerance, 1e9) << "any step would do";
}

TEST(IntegratorChoice, StepsFollowFromOrders) {
  const MeasuredError first{.steps = 64, .error = 0.4, .order = 1},
      second{.steps = 64, .error = 0.4, .order = 2};
  EXPECT_EQ(first.steps_for(0.1), 256);
  EXPECT_EQ(second.steps_for(0.1), 128);
  EXPECT_EQ(second.steps_for(100), Pilot::samples);
  EXPECT_DOUBLE_EQ(first.error_of(128), 0.2);
  EXPECT_DOUBLE_EQ(second.error_of(128), 0.1);
  EXPECT_EQ(MeasuredError{}.steps_for(0.1), 1);
}

TEST(IntegratorChoice, TakesTheShortestRun) {
  IntegratorChoice choice;
  choice.end = 2;
  choice.tolerance = 0.1;
  const auto candidate = [](Method method, std::int64_t steps, double step_seconds) {
    Candidate result;
    result.method = method;
    result.least_steps = result.steps = steps;
    result.step_seconds = step_seconds;
    return result;
  };
  choice.candidates = {candidate(Method::euler, 1000, 1e-3), candidate(Method::rkl2, 20, 2e-2),
                       candidate(Method::crank_nicolson, 0, 0)};
  choice.candidates[1].least_steps = 10;
  choice.candidates[2].reason = "it does not solve this problem";
  choice.best = best_of(choice.candidates);
  EXPECT_EQ(choice.best, 1u);
  const auto config = config_of("{cells: [32], upper: [1]}",
                                "{end: 2, integrator: auto, "
                                "tolerance: 0.1}");
  const auto taken = with_choice(config, choice);
  EXPECT_EQ(taken.time.integrator, Method::rkl2);
  EXPECT_EQ(taken.time.dt, 0.1);
  EXPECT_FALSE(taken.time.tolerance);
  const auto text = to_string(choice);
  for (const char* part : {"not measured", "it does not solve this problem", "taken", "rkl2"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  choice.best = 0;
  EXPECT_FALSE(with_choice(config, choice).time.dt) << "the bound gives it";

  choice.candidates[2] = candidate(Method::tr_bdf2, 30, 1e-3);
  choice.candidates[2].step_tolerance = 0.031;
  choice.candidates[2].measured = {.steps = 28, .error = 0.08};
  choice.best = best_of(choice.candidates);
  ASSERT_EQ(choice.best, 2u);
  const auto adaptive = with_choice(config, choice).time;
  EXPECT_EQ(adaptive.integrator, Method::tr_bdf2);
  EXPECT_FALSE(adaptive.dt);
  EXPECT_EQ(adaptive.tolerance, 0.031);
  EXPECT_NE(to_string(choice).find("tr-bdf2, 0.031 K"), std::string::npos) << to_string(choice);
}

}  // namespace
}  // namespace halotherm::app
