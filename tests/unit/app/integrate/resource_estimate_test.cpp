// SPDX-License-Identifier: MIT
#include "app/integrate/resource_estimate.hpp"

#include "app/domain/domain.hpp"
#include "app/domain/geometry.hpp"
#include "app/integrate/steps_together.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/invented_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halotherm::app {
namespace {

Config config_of(const std::string& cells, const std::string& source) {
  return parse_config("grid: {cells: " + cells + ", upper: [1, 1]}\n" +
                          "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
                          "initial: {temperature: 300}\ntime: {steps: 1}\nregions: [{source: " +
                          source + "}]\n",
                      "test", {});
}

TEST(ThreadsWorth, GrowWithTheCellsOfARank) {
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "0"), 1), 1);
  EXPECT_EQ(threads_worth(config_of("[512, 512]", "0"), 1), 4);
  EXPECT_EQ(threads_worth(config_of("[512, 512]", "0"), 2), 2);
  EXPECT_EQ(threads_worth(config_of("[512, 512]", "0"), 5), 1);
  EXPECT_GT(threads_worth(512.0 * 512 * 512), 1000);
}

TEST(ThreadsWorth, AFormulaInEveryStepIsMoreWork) {
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "\"x\""), 1), 1);
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "\"x*t\""), 1), 1);  // a product
  EXPECT_EQ(threads_worth(config_of("[100, 200]", "\"x*t+y\""), 1), 19);
}

/// Against the plans of all ranks.
TEST(ResourceEstimateOf, CountsWhatAllRanksSend) {
  const auto config = parse_config(
      "grid: {cells: [40, 30, 25], upper: [1, 1, 1]}\n"
      "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
      "sides: {x: periodic}\nparallel: {halo: 2}\n"
      "initial: {temperature: 300}\ntime: {steps: 1}\n",
      "test", {});
  const auto nodes = test::invented_nodes(24, 4);
  const auto partition = make_partition(config, nodes);
  const auto estimate = estimate_resources(config, partition, nodes);
  std::int64_t messages = 0, sent = 0, off = 0;
  for (int rank = 0; rank < 24; ++rank) {
    const auto plan = halo_plan_of(partition, rank, 2);
    messages += std::ssize(plan.messages);
    sent += 8 * plan.sent_cells();
    off += 8 * plan.sent_cells_off(nodes[static_cast<std::size_t>(rank)], nodes);
  }
  EXPECT_EQ(estimate.messages, messages);
  EXPECT_EQ(estimate.message_bytes, sent);
  EXPECT_EQ(estimate.node_bytes, off);
  EXPECT_GE(estimate.natural_node_bytes, off);
}

/// Fields have as many layers of ghost cells as steps that a run may take at once.
TEST(ResourceEstimateOf, CountsTheGhostCellsOfStepsAtOnce) {
  std::int64_t before = 0;
  for (const std::string steps : {"1", "2", "auto"}) {
    const auto config = parse_config(
        "grid: {cells: [90, 80, 350], upper: [1, 1, 1]}\n"
        "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
        "initial: {temperature: 300}\ntime: {steps: 1, fused_steps: " +
            steps + "}\n",
        "test", {});
    const auto nodes = test::invented_nodes(3, 3);
    const auto partition = make_partition(config, nodes);
    const auto device = estimate_resources(config, partition, nodes).device;
    const auto owned = partition.owned(1);
    const int layers = halo_for_steps_together(config, partition).width;
    EXPECT_GE(layers, steps == "auto" ? 4 : std::stoi(steps));
    const auto cells = std::int64_t{8} * owned.size();
    EXPECT_EQ(device.fields, 2 * cells);
    const auto field = solver::Field<double>::bytes_for(owned, {layers, layers, layers});
    EXPECT_EQ(device.ghosts, 2 * (field - cells));
    EXPECT_GT(device.ghosts, before);
    EXPECT_EQ(device.buffers, 2 * 8 * std::int64_t{90} * 80 * layers * 2);
    before = device.ghosts;
  }
}

/// The planning of one rank: a partition by nodes, its estimate and its own plan.
TEST(ResourceEstimateOf, PlanningNeedsLittleMemoryOnAsManyRanksAsMachinesHave) {
  for (const int ranks : test::many) {
    const auto config = parse_config(
        "grid: {cells: [1024, 1024, 1024], upper: [1, 1, 1]}\n"
        "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
        "initial: {temperature: 300}\ntime: {steps: 1}\nparallel: {halo: 2}\n",
        "test", {});
    const auto nodes = test::invented_nodes(ranks, 8);
    const auto cost = test::allocations_of([&] {
      const auto partition = make_partition(config, nodes);
      const auto estimate = estimate_resources(config, partition, nodes);
      EXPECT_LT(estimate.node_bytes, estimate.natural_node_bytes);
      EXPECT_LE(halo_plan_of(partition, ranks / 2 + 1, 2).messages.size(), 26U);
    });
    EXPECT_LE(cost.peak_bytes, 200 * ranks);
    EXPECT_LE(cost.peak_bytes, 32 << 20);
    EXPECT_LE(cost.count, 20 * ranks);
  }
}

}  // namespace
}  // namespace halotherm::app
