// SPDX-License-Identifier: MIT
#include "app/run/report.hpp"

#include "tests/support/allocations.hpp"
#include "tests/support/invented_ranks.hpp"
#include "tests/support/sanitized.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace halotherm::app {
namespace {

Config config() {
  return parse_config(
      "title: \"a \\\"title\\\"\"\ngrid: {cells: [8, 8], upper: [1, 1]}\n"
      "materials: {solid: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
      "initial: {temperature: 300}\ntime: {steps: 1}\n",
      "test", {});
}

RunRecord record() {
  RunRecord record;
  record.split_points = {{{0, 8}, {0, 8}, {0, 1}}};
  return record;
}

TEST(Report, ListsEveryRank) {
  const auto text =
      report_json(record(), config(), test::places_of({{"a", "G", 1, true}, {"b", "2 threads"}}));
  const auto report = nlohmann::ordered_json::parse(text);
  EXPECT_EQ(report["title"], "a \"title\"");
  const auto& ranks = report["ranks"];
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_EQ(ranks[0]["rank"], 0);
  EXPECT_EQ(ranks[0]["host"], "a");
  EXPECT_EQ(ranks[0]["device"], "G GPU-01000000-0000-0000-0000-000001000000");
  EXPECT_EQ(ranks[0]["shared"], true);
  EXPECT_EQ(ranks[1]["device"], "2 threads");
  EXPECT_EQ(ranks[1]["shared"], false);
  EXPECT_EQ(text.back(), '\n');
}

TEST(Report, ItsMemoryIsAFewTimesItsText) {
  for (const int ranks : test::many) {
    if (test::sanitized && ranks > test::many[0]) break;
    const auto places = test::invented_places(ranks, 8);
    std::string text;
    const auto cost = test::allocations_of([&] { text = report_json(record(), config(), places); });
    EXPECT_LE(std::ssize(text), 150 * ranks + 10000);
    EXPECT_LE(cost.peak_bytes, 500 * ranks + 100000);
    EXPECT_LE(cost.peak_bytes, 64 << 20);
  }
}

}  // namespace
}  // namespace halotherm::app
