// SPDX-License-Identifier: MIT
// The cut that a configuration gives; what its bits are worth is for tests/regression.
#include "app/integrate/partition_choice.hpp"

#include "app/domain/geometry.hpp"
#include "app/integrate/resource_estimate.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::world;

Config config_with(const std::string& parallel) {
  return parse_config(
      "grid: {cells: [24, 20, 16], upper: [1, 1, 1]}\n"
      "materials: {solid: {conductivity: \"2 + x\", density: 3, heat_capacity: 4}}\n"
      "initial: {temperature: \"300 + x\"}\n"
      "sides: {x: periodic, z-: {temperature: \"300 + t\"}}\n"
      "time: {steps: 10}\n"
      "parallel: " +
          parallel + "\n",
      "test", {});
}

void expect_same_everywhere(const PartitionChoice& cut) {
  const auto texts =
      world().gather(split_points_text(cut.partition.split_points(), 3) + balance_text(cut, 3));
  for (const auto& text : texts) EXPECT_EQ(text, texts.front());
}

TEST(ChosenPartition, EvenUnlessMeasuredIsAsked) {
  const auto cut = choose_partition<double>(world(), config_with("{}"));
  EXPECT_EQ(cut.partition.split_points(),
            make_partition(config_with("{}"), world().size()).split_points());
  EXPECT_EQ(balance_text(cut, 3), "");
  EXPECT_EQ(cut.nodes, std::vector<int>(static_cast<std::size_t>(world().size()), 0))
      << "all ranks of the test are on one node";
}

TEST(ChosenPartition, MeasuredKnowsEveryRanksSpeed) {
  const auto config = config_with("{balance: measured, halo: 2}");
  const auto cut = choose_partition<float>(world(), config);
  expect_same_everywhere(cut);
  if (world().size() == 1) {
    EXPECT_TRUE(cut.balance.speeds.empty()) << "one rank has nothing to share";
    return;
  }
  ASSERT_EQ(cut.balance.speeds.size(), static_cast<std::size_t>(world().size()));
  for (const double speed : cut.balance.speeds) EXPECT_GT(speed, 0);
  EXPECT_LE(cut.balance.predicted_imbalance, cut.balance.even_imbalance);
  EXPECT_GT(cut.balance.seconds, 0.5);
  EXPECT_NE(balance_text(cut, 3).find("times the ideal with even blocks"), std::string::npos);
  for (int axis = 0; axis < 3; ++axis) EXPECT_GE(cut.partition.thinnest(axis), 2);
}

TEST(ChosenPartition, CutsAreTakenAsTheyAre) {
  if (world().size() != 4) return;
  const auto cut =
      choose_partition<double>(world(), config_with("{split_points: [[3], [], [15]]}"));
  EXPECT_EQ(split_points_text(cut.partition.split_points(), 3), "[[3], [], [15]]");
  EXPECT_EQ(cut.partition.owned(0), (comm::Box{{0, 0, 0}, {3, 20, 15}}));
}

TEST(ChosenPartition, ThePlanKnowsBlocksAndNodes) {
  const auto config = config_with("{split_points: [[], [], [4, 5, 13]]}");
  const auto uneven = estimate_resources(config, make_partition(config, 4), {0, 0, 0, 0});
  EXPECT_EQ(uneven.largest_block, (comm::Box{{0, 0, 5}, {24, 20, 13}}));
  EXPECT_DOUBLE_EQ(uneven.imbalance, 2);
  EXPECT_EQ(to_string(uneven).find("between nodes"), std::string::npos);
  const std::vector<int> dealt{0, 1, 0, 1};
  const auto placed = estimate_resources(config, make_partition(config, dealt), dealt);
  EXPECT_EQ(placed.natural_node_bytes, 3 * 2 * 24 * 20 * 8);
  EXPECT_EQ(placed.node_bytes, 2 * 24 * 20 * 8);
  EXPECT_NE(to_string(placed).find(
                "7.68 kB of it between nodes (23.04 kB if blocks went by the ranks' numbers)"),
            std::string::npos)
      << to_string(placed);
  const auto natural = config_with("{split_points: [[], [], [4, 5, 13]], rank_mapping: natural}");
  EXPECT_EQ(estimate_resources(natural, make_partition(natural, dealt), dealt).node_bytes,
            placed.natural_node_bytes);
}

}  // namespace
}  // namespace halotherm::app
