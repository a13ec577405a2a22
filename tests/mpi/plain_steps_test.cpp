// SPDX-License-Identifier: MIT
// Steps that are submitted many at a time, or follow one exchange, beside steps one by one.
#include "app/integrate/plain_steps.hpp"

#include "app/domain/geometry.hpp"
#include "app/integrate/steps_together.hpp"
#include "app/integrate/time_step_size.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>

namespace halotherm::app {
namespace {

using test::world;

/// Blocks are cut across z.
Config config_of(int fused) {
  const auto kind = comm::kernels_run_on_host || world().size() == 1 ? "auto" : "p2p";
  return parse_config(fmt::format(R"(
grid: {{cells: [40, 70, 64], upper: [1, 1, 1]}}
materials: {{solid: {{conductivity: [1, 2, 3], density: 1, heat_capacity: 1}}}}
regions: [{{source: 1e3}}]
initial: {{temperature: sin(5*x) + cos(4*y) + sin(7*z)}}
sides:
  x-: {{temperature: 2}}
  y+: {{flux: 3}}
  z-: {{convection: {{coefficient: 5, ambient: 1}}}}
time: {{steps: 1, fused_steps: {}}}
parallel: {{transport: {}, ranks: [1, 1, {}]}}
)",
                                  fused, kind, world().size()),
                      "test", {});
}

/// A run without outputs.
struct ShortRun {
  explicit ShortRun(const Config& config)
      : partition(make_partition(config, world().size())),
        domain(world(), config, partition, config.parallel.transport,
               halo_for_steps_together(config, partition)),
        problem(domain, config),
        bounds(step_bounds(world(), problem.equation, problem.boundary, 0)),
        integrator(streams, domain, problem, scheme_of(config.time, bounds)),
        state(Integrator<double>::quantities(), domain.owned, domain.ghosts),
        dt(choose_dt(config.time, bounds)) {
    const auto values = problem.initial_temperature(config);
    solver::copy_from_host<double>(values, state);
    choose_steps_together(integrator, state, config, false);
  }
  void step() { integrator.advance(state, 0, dt); }
  std::vector<double> values() {
    streams.fence();
    std::vector<double> result(static_cast<std::size_t>(domain.owned.size()));
    solver::copy_to_host<double>(state.temperature(), domain.owned, result);
    return result;
  }

  comm::Streams streams;
  comm::Partition partition;
  Domain<double> domain;
  Problem<double> problem;
  StepBounds bounds;
  Integrator<double> integrator;
  solver::State<double> state;
  double dt;
};

class Submitted : public testing::TestWithParam<std::tuple<int, Pass>> {};

/// Recordings of several lengths, repeated, beside single steps, from either field and half of the
/// exchange's buffers.
TEST_P(Submitted, StepsHaveTheBitsOfSingleSteps) {
  const auto [fused, pass] = GetParam();
  ShortRun one_by_one(config_of(1)), submitted(config_of(fused));
  submitted.integrator.passes().set(fused, 1, pass);
  ASSERT_TRUE(submitted.integrator.can_be_recorded());
  PlainSteps<double> plain_steps(submitted.integrator, 40 * fused);
  EXPECT_EQ(plain_steps.submitted(), 32 * fused);
  int steps = 0;
  const auto submit = [&](int plain) {
    const int taken = plain_steps.take(submitted.state, submitted.dt, plain);
    ASSERT_GT(taken, 0);
    steps += taken;
  };
  const auto step = [&] {
    submitted.step();
    ++steps;
  };
  auto& timers = submitted.integrator.timers();
  timers = PhaseTimers({16, 1 << 20});  // times step 1, then step 17
  for (int n = 0; n < 2; ++n) step();
  submit(1000);  // steps up to 17
  while (timers.untimed() > 0) step();
  timers.set_gaps({1 << 20, 1 << 20});
  step();
  for (const int plain : {8 * fused, 1000, 8 * fused + 1, 1000, 1000, 2 * fused}) {
    submit(plain);
    if (plain % 2 == 1) step();
  }
  for (int n = 0; n < steps; ++n) one_by_one.step();
  EXPECT_EQ(submitted.values(), one_by_one.values()) << steps << " steps";
  EXPECT_GT(steps, 100 * fused);
}
INSTANTIATE_TEST_SUITE_P(StepsOfAPass, Submitted,
                         testing::Values(std::tuple(1, Pass::divided), std::tuple(2, Pass::divided),
                                         std::tuple(3, Pass::whole), std::tuple(3, Pass::stepwise),
                                         std::tuple(4, Pass::stepwise)));

/// As many numbers of blocks along z, then y, then x as have two cells or more ranks.
std::string cut_of(int ranks) {
  const int z = ranks % 2 == 0 ? 2 : ranks;
  const int y = ranks / z % 2 == 0 ? 2 : ranks / z;
  return fmt::format("[{}, {}, {}]", ranks / z / y, y, z);
}

struct Stepwise : testing::TestWithParam<const char*> {
  static Config config(const std::string& more) {
    return parse_config(fmt::format(R"(
grid:
  x: {{layers: [[0.3, 10], [0.9, 26]]}}
  y: {{cells: 37, upper: 1}}
  z: {{cells: 41, upper: 1}}
regions: [{{source: 1e3*x*z}}]
initial: {{temperature: sin(5*x) + cos(4*y) + sin(7*z)}}
sides: {{x-: {{temperature: 2}}, y: periodic, z+: {{temperature: 1}}}}
time: {{steps: 1}}
parallel: {{ranks: {}}}
{}
)",
                                    cut_of(world().size()), more),
                        "test", {});
  }
};

/// Steps that follow one exchange, in ghost cells as well: where K and the widths of cells vary,
/// across a periodic side, and beside edges and corners of other blocks.
TEST_P(Stepwise, StepsHaveTheBitsOfSingleSteps) {
  const auto config = Stepwise::config(GetParam());
  ShortRun one_by_one(config);
  for (int n = 0; n < 12; ++n) one_by_one.step();
  for (const int steps : {2, 3, 4}) {
    ShortRun run(config);
    ASSERT_GE(run.integrator.passes().most().stepwise, steps);
    run.integrator.passes().set(steps, 1, Pass::stepwise);
    for (int n = 0; n < 12 / steps; ++n) run.integrator.advance_together(run.state, run.dt);
    EXPECT_EQ(run.values(), one_by_one.values()) << steps << " steps";
  }
}
INSTANTIATE_TEST_SUITE_P(
    Materials, Stepwise,
    testing::Values(
        "materials: {solid: {conductivity: [1, 2, 3], density: 1 + x*y, heat_capacity: 1}}",
        "materials: {solid: {conductivity: 2 + sin(9*x + 2*y)*cos(5*z), density: 1, "
        "heat_capacity: 1}}"));

}  // namespace
}  // namespace halotherm::app
