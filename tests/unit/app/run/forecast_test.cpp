// SPDX-License-Identifier: MIT
// What is said of a run before it begins, and when fewer ranks would do better.
#include "app/run/forecast.hpp"

#include "app/domain/geometry.hpp"
#include "app/run/forecast_text.hpp"
#include "comm/mpi/error.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::app {
namespace {

using test::world;

Config config_with(const std::string& conductivity, const std::string& more = "") {
  return parse_config(
      "grid: {cells: [40, 30, 1200], upper: [1, 1, 1]}\n"
      "materials: {solid: {conductivity: \"" +
          conductivity +
          "\", density: 3, heat_capacity: 4}}\n"
          "initial: {temperature: \"300 + x\"}\n"
          "sides: {z-: {temperature: \"300 + t\"}}\n"
          "time: {end: 1e-6}\n" +
          more,
      "test", {});
}

Forecast forecast_of(const Config& config, double budget = 60) {
  return forecast<double>(world(), config, make_partition(config, world().size()), budget);
}

int exit_code(const Config& config) {
  try {
    forecast_of(config);
  } catch (const comm::CollectiveError& error) {
    return static_cast<int>(error.code());
  }
  return 0;
}

TEST(ForecastOf, FindsTheStepOfTheWholeGridInPieces) {
  const auto f = forecast_of(config_with("1 + (z > 0.9)"));
  const double h = 1.0 / 1200;
  EXPECT_NEAR(f.dt, 0.9 * 12 / (2 * 2 * (1 / (h * h) + 1600 + 900)), 1e-3 * f.dt)
      << "K is largest in the last tenth";
  EXPECT_EQ(f.looked_at, 1);
  EXPECT_EQ(f.steps, static_cast<std::int64_t>(std::ceil(1e-6 / f.dt)));
  EXPECT_GT(f.cost.computation, 0);
  EXPECT_GE(f.cost.computation, f.cost.launches);
  EXPECT_EQ(f.cost.exchange > 0, world().size() > 1);
}

TEST(ForecastOf, RefusesWhatARunWouldRefuse) {
  EXPECT_EQ(exit_code(config_with("1 - 1.0005*z")), 2) << "negative in the last plane";
  EXPECT_EQ(exit_code(config_with("1/(z > 0.5)")), 2);
  EXPECT_EQ(exit_code(config_with("1", "regions: [{source: \"1/(t < 0.9e-6)\"}]\n")), 2)
      << "fails at the end of the run";
  auto unstable = config_with("1");
  unstable.time.dt = 1;
  EXPECT_EQ(exit_code(unstable), 3);
}

TEST(ForecastOf, SaysWhatItHadNoTimeFor) {
  auto config = config_with("1 + x");
  config.grid.cells = {200, 200, 200};
  const auto f = forecast_of(config, 0);
  EXPECT_LT(f.looked_at, 1);
  EXPECT_GT(f.looked_at, 0);
  EXPECT_NE(to_string(f).find("not seen"), std::string::npos);
}

TEST(ForecastText, WarnsOfRunsOfMoreThanADay) {
  Forecast f{.dt = 1e-7, .steps = 193'000'000, .cells = 1'000'000, .cost = {.computation = 1e-3}};
  EXPECT_NE(to_string(f).find("about 2.23 days"), std::string::npos) << to_string(f);
  EXPECT_NE(to_string(f).find("warning        the run takes more than a day"), std::string::npos);
  EXPECT_EQ(to_string(f).find("time.dt"), std::string::npos) << "it is as large as it can be";
  f.dt_is_chosen = true;
  EXPECT_NE(to_string(f).find("time.dt: auto"), std::string::npos);
  f.steps = 1000;
  EXPECT_EQ(to_string(f).find("warning"), std::string::npos);
}

TEST(FewerRanks, AreNamedWhereLaunchesAndExchangesTakeTheStep) {
  const StepCost two{.computation = 8e-6,
                     .launches = 6e-6,
                     .exchange = 13e-6,
                     .step = 14.3e-6};  // 128^3 on two GPUs
  EXPECT_DOUBLE_EQ(step_on_fewer(two, 2, 1), 10e-6);
  const auto text = fewer_ranks_text(two, 2);
  EXPECT_NE(text.find("1 rank would be faster: about 10 us a step, where 2 take 14.3 us"),
            std::string::npos)
      << text;
}

TEST(FewerRanks, AreNotNamedWhereItIsNotClear) {
  EXPECT_EQ(fewer_ranks_text(
                {.computation = 280e-6, .launches = 6e-6, .exchange = 30e-6, .step = 285e-6}, 2),
            "");
  EXPECT_EQ(fewer_ranks_text(
                {.computation = 8e-6, .launches = 4e-6, .exchange = 13e-6, .step = 14e-6}, 2),
            "")
      << "12 us are too near";
  EXPECT_EQ(fewer_ranks_text({}, 2), "") << "nothing was measured";
  EXPECT_EQ(fewer_ranks_text({.computation = 8e-6, .launches = 6e-6, .step = 8e-6}, 1), "");
}

TEST(FewerRanks, MayBeMoreThanOne) {
  const StepCost sixteen{
      .computation = 20e-6, .launches = 15e-6, .exchange = 100e-6, .step = 60e-6};
  EXPECT_DOUBLE_EQ(step_on_fewer(sixteen, 16, 8), 65e-6);
  EXPECT_EQ(fewer_ranks_text(sixteen, 16), "") << "80 us of work on one";
}

}  // namespace
}  // namespace halotherm::app
