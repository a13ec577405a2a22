// SPDX-License-Identifier: MIT
// The full step and its stages, from the configuration and forward Euler's bounds.
#include "app/integrate/time_step_size.hpp"

#include "comm/mpi/error.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using solver::Method;

constexpr StepBounds bounds{.monotone = 2, .stable = 3};

TimeConfig config_with(Method method) {
  TimeConfig config;
  config.integrator = method;
  config.safety = 0.5;
  return config;
}

TEST(FullStep, AutoIsTheShareOfTheBoundStretchedByTheStages) {
  EXPECT_EQ(choose_dt(config_with(Method::euler), bounds), 1);
  EXPECT_EQ(choose_dt(config_with(Method::rk2), bounds), 1);
  auto rkl2 = config_with(Method::rkl2);
  EXPECT_EQ(choose_dt(rkl2, bounds), 1.5 * (15 * 15 + 15 - 2) / 4.0);
  rkl2.stages = 9;
  EXPECT_EQ(choose_dt(rkl2, bounds), 1.5 * 22);
  rkl2.bound = StepBound::stable;  // which is the one that it takes in any case
  EXPECT_EQ(choose_dt(rkl2, bounds), 1.5 * 22);
}

TEST(FullStep, StagesFollowFromItSafetyIncluded) {
  for (const auto bound : {StepBound::monotone, StepBound::stable}) {
    for (const long stages : {3, 9, 49, 99}) {
      auto config = config_with(Method::rkl2);
      config.bound = bound;
      config.stages = stages;
      const double dt = choose_dt(config, bounds);
      EXPECT_EQ(scheme_of(config, bounds).stages(dt), stages);
      config.stages.reset();
      config.dt = dt;
      EXPECT_EQ(choose_dt(config, bounds), dt);
      EXPECT_EQ(scheme_of(config, bounds).stages(dt), stages);
      EXPECT_EQ(scheme_of(config, bounds).stages(0.4 * dt) < stages, stages > 3);
    }
  }
}

TEST(FullStep, AboveTheBoundIsRefused) {
  for (const auto& [method, longest] :
       {std::pair{Method::euler, 3.0}, {Method::rk2, 3.0}, {Method::rkl2, 1.5 * 2474.5}}) {
    auto config = config_with(method);
    config.dt = longest;
    EXPECT_EQ(choose_dt(config, bounds), longest);
    config.dt = 1.001 * longest;
    EXPECT_THROW(choose_dt(config, bounds), comm::CollectiveError);
  }
}

}  // namespace
}  // namespace halotherm::app
