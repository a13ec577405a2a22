// SPDX-License-Identifier: MIT
// Cycles after each other: what is recorded for later ones must hold for them.
#include "app/linear/multigrid.hpp"

#include "app/domain/geometry.hpp"
#include "app/linear/separation.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

namespace halotherm::app {
namespace {

using test::world;

Config config() {
  return parse_config(R"(
grid: {cells: [24, 20, 32], upper: [1, 1, 1]}
materials: {solid: {conductivity: 2, density: 1, heat_capacity: 1}}
initial: {temperature: sin(9*x) + cos(7*y) + sin(8*z)}
sides: {x-: {temperature: 1}, y+: {convection: {coefficient: 3, ambient: 2}}}
time: {integrator: steady}
)",
                      "test", {});
}

comm::TransportKind by_host(int) {
  return comm::TransportKind::staged;
}

/// Cycles for one right side, the initial temperature.
struct Cycles {
  Cycles() {
    multigrid.finest().matrix = *separable_matrix(domain, problem, 0);
    multigrid.build();
    solver::copy_from_host<double>(problem.initial_temperature(config()), domain.owned, right);
    set_b();
  }
  void set_b() {
    const solver::SumScale scale(40);
    multigrid.set_b(solver::Rounded<double>{{problem.equation, 1}, std::as_const(right).view()},
                    scale);
  }
  /// What a cycle adds to 0.
  std::vector<double> cycle() {
    std::vector<double> values(static_cast<std::size_t>(domain.owned.size()), 0);
    solver::copy_from_host<double>(values, domain.owned, sum);
    multigrid.cycle_onto(1, sum.view());
    streams.fence();
    solver::copy_to_host<double>(sum, domain.owned, values);
    return values;
  }

  comm::Streams streams;
  Domain<double> domain{world(), config(), make_partition(config(), world().size())};
  Problem<double> problem{domain, config()};
  Multigrid multigrid{world(), streams, level_grid(domain), domain.partition, by_host};
  solver::Field<double> right = domain.field("right side"), sum = domain.field("sum");
};

TEST(MultigridCycles, LaterOnesGiveTheSame) {
  Cycles cycles;
  const auto first = cycles.cycle();
  EXPECT_TRUE(std::ranges::any_of(first, [](double x) { return x != 0; }));
  for (int n = 0; n < 3; ++n) EXPECT_EQ(cycles.cycle(), first) << n;
}

TEST(MultigridCycles, SymmetricOnesBetweenThemChangeNothing) {
  Cycles cycles;
  const auto first = cycles.cycle();
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(cycles.cycle(), first) << n;
    (void)cycles.multigrid.symmetric_cycle_and_sum(solver::SumScale(40));
    cycles.set_b();
  }
}

TEST(MultigridCycles, NewMatricesNeedNewOnes) {
  Cycles cycles;
  const auto first = cycles.cycle();
  for (int n = 0; n < 2; ++n) (void)cycles.cycle();
  for (const double rate : {1e4, 0.0}) {
    cycles.multigrid.finest().matrix = *separable_matrix(cycles.domain, cycles.problem, rate);
    cycles.multigrid.build();
    for (int n = 0; n < 3; ++n) EXPECT_EQ(cycles.cycle() == first, rate == 0) << n;
  }
}

}  // namespace
}  // namespace halotherm::app
