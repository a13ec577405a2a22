// SPDX-License-Identifier: MIT
#include "app/problem/problem.hpp"

#include "app/domain/geometry.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::world;

/// Every coefficient varies along every axis.
constexpr auto text = R"(
grid: {cells: [24, 20, 32], upper: [1, 1, 1]}
materials:
  solid:
    conductivity: [1 + x*y + 2*z, 2 + x + y*z, 1 + x*y*z]
    density: 1 + 0.1*x + y
    heat_capacity: 1 + z
regions: [{source: 1e3*x*y*z}]
initial: {temperature: sin(5*x) + cos(4*y) + sin(7*z)}
sides: {x: periodic, y: periodic, z-: {temperature: 2}}
time: {steps: 1}
parallel: {halo: 2}
)";

std::vector<double> values_of(const solver::Field<double>& field, const comm::Box& box) {
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  solver::copy_to_host<double>(field, box, values);
  return values;
}

// with two ghost layers, a rank may compute the first one itself
TEST(ProblemOf, CoefficientsHaveTheGhostLayersOfTheDomain) {
  const auto config = parse_config(text, "test", {});
  const auto rank_count = world().size();
  Domain<double> domain(world(), config, make_partition(config, rank_count));
  Problem<double> problem(domain, config);
  const comm::Streams streams;
  auto now = domain.field("now");
  auto next = domain.field("next");
  const auto exchanged = [&](solver::Field<double>& field) {
    auto ghosted = domain.halo.start(streams, field.view()).finish();
    streams.fence();
    return ghosted;
  };
  solver::copy_from_host<double>(problem.initial_temperature(config), domain.owned, now);
  problem.apply_conditions(streams.bulk(), 0);
  auto box = domain.owned;  // and the ghost cells across z that have an owner
  if (box.lower[2] > 0) --box.lower[2];
  if (box.upper[2] < domain.grid.cells[2]) ++box.upper[2];
  apply(comm::Space(), comm::Region(box), problem.step(1e-5), exchanged(now), next.view());
  comm::Space().fence("test");
  const auto computed = values_of(next, box);
  (void)exchanged(next);
  EXPECT_EQ(computed, values_of(next, box));
  EXPECT_EQ(box.size() > domain.owned.size(), rank_count > 1);
}

}  // namespace
}  // namespace halotherm::app
