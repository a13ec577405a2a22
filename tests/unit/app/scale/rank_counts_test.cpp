// SPDX-License-Identifier: MIT
#include "app/scale/rank_counts.hpp"

#include "app/domain/geometry.hpp"

#include "app/config/writer.hpp"
#include "tests/support/error_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace halotherm::app {
namespace {

using test::expect_part;
using test::usage_error;

using Counts = std::vector<int>;

Config config_of(const std::string& more = "", const std::string& initial = "300") {
  return parse_config(
      "grid: {cells: [24, 20, 16], lower: [1, 0, 0], upper: [3, 1, 1]}\n"
      "materials: {solid: {conductivity: 2, density: 3, heat_capacity: 4}}\n"
      "initial: {temperature: " +
          initial + "}\ntime: {steps: 10}\n" + more,
      "test", {});
}

TEST(ScalePlan, ReadsNumbersOfRanks) {
  EXPECT_EQ(parse_counts("1,2,4"), Counts({1, 2, 4}));
  EXPECT_EQ(parse_counts("8,1,3"), Counts({1, 3, 8}));
  EXPECT_EQ(parse_counts("2"), Counts({2}));
  for (const char* bad :
       {"", "0", "-1", "1,2,2", "1,,2", "1,2,", "a", "1.5", "99999999999999999999", "1 2"}) {
    const auto text = usage_error([&] { parse_counts(bad); });
    EXPECT_NE(text.find("must be whole numbers from 1 on, each once"), std::string::npos)
        << bad << ": " << text;
  }
}

TEST(ScalePlan, TakesPowersOfTwoAndTheWholeJob) {
  EXPECT_EQ(usual_rank_counts(1), Counts({1}));
  EXPECT_EQ(usual_rank_counts(2), Counts({1, 2}));
  EXPECT_EQ(usual_rank_counts(8), Counts({1, 2, 4, 8}));
  EXPECT_EQ(usual_rank_counts(6), Counts({1, 2, 4, 6}));
}

TEST(ScalePlan, WeakGridsGrowTowardsCubesSlowestAxisFirst) {
  const auto expect = [](int dimensions, int ranks, const comm::Int3& wanted) {
    const auto found = growth(dimensions, ranks);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(found[axis], wanted[axis]) << dimensions << "-D, " << ranks << " ranks";
  };
  expect(3, 1, {1, 1, 1});
  expect(3, 2, {1, 1, 2});
  expect(3, 4, {1, 2, 2});
  expect(3, 6, {1, 2, 3});
  expect(3, 7, {1, 1, 7});
  expect(3, 8, {2, 2, 2});
  expect(3, 64, {4, 4, 4});
  expect(2, 2, {1, 2, 1});
  expect(2, 8, {2, 4, 1});
  expect(1, 5, {5, 1, 1});
}

TEST(ScalePlan, WeakBlocksAreTheConfigurationsGrid) {
  const auto config = config_of();
  for (const int ranks : {1, 2, 3, 4, 8, 12}) {
    const auto grown = config_for(ScaleKind::weak, config, ranks);
    const auto partition = make_partition(grown, ranks);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto owned = partition.owned(rank);
      EXPECT_EQ(owned.extent(0), 24);
      EXPECT_EQ(owned.extent(1), 20);
      EXPECT_EQ(owned.extent(2), 16);
    }
    const auto before = make_grid(config);
    const auto after = make_grid(grown);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_DOUBLE_EQ(before.spacing(axis), after.spacing(axis));
    EXPECT_EQ(grown.grid.lower, config.grid.lower);
  }
}

TEST(ScalePlan, StrongGridsStayAsTheyAre) {
  const auto config = config_of();
  EXPECT_EQ(to_yaml(config_for(ScaleKind::strong, config, 4)), to_yaml(config));
}

TEST(ScalePlan, RefusesWhatCannotBe) {
  const auto cut = config_of("parallel: {ranks: [1, 1, 2]}\n");
  for (const auto kind : {ScaleKind::strong, ScaleKind::weak}) {
    expect_part(usage_error([&] { config_for(kind, cut, 2); }), "set it to auto");
  }
  const auto file = config_of("", "{file: a.h5, dataset: /T}");
  expect_part(usage_error([&] { config_for(ScaleKind::weak, file, 2); }),
              "initial.temperature: is a file");
  EXPECT_EQ(usage_error([&] { config_for(ScaleKind::strong, file, 2); }), "");
  expect_part(usage_error([&] { config_for(ScaleKind::weak, config_of(), 99999989); }),
              "give fewer cells per rank");
}

TEST(ScalePlan, TheOrderIsShuffledAndAlwaysTheSame) {
  const auto order = shuffled_order(3, 6, 1);
  ASSERT_EQ(order.size(), 18u);
  for (const int place : {0, 1, 2}) EXPECT_EQ(std::ranges::count(order, place), 6);
  EXPECT_EQ(order, shuffled_order(3, 6, 1));
  EXPECT_NE(order, shuffled_order(3, 6, 2));
  bool in_turns = true;
  for (std::size_t n = 0; n < order.size(); ++n)
    in_turns = in_turns && order[n] == static_cast<int>(n % 3);
  EXPECT_FALSE(in_turns);
}

}  // namespace
}  // namespace halotherm::app
