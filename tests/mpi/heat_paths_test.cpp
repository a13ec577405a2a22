// SPDX-License-Identifier: MIT
// Parts of the body whose temperature nothing holds: found alike by any number of ranks.
#include "app/parts/heat_paths.hpp"

#include "app/domain/geometry.hpp"
#include "comm/mpi/error.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::world;

const std::string steady = "time: {integrator: steady}\n";
const std::string in_time = "time: {end: 1}\n";

/// 12 x 10 x 8 cells of 0.1 m.
Config config_of(const std::string& more) {
  const bool two = more.find("material: b") != std::string::npos;
  return parse_config(
      "grid: {cells: [12, 10, 8], upper: [1.2, 1, 0.8]}\n"
      "initial: {temperature: 350}\n"
      "materials:\n"
      "  a: {conductivity: 1, density: 2, heat_capacity: 3}\n" +
          std::string(two ? "  b: {conductivity: 4, density: 5, heat_capacity: 6}\n" : "") + more,
      "test", {});
}

UnheldParts unheld(const Config& config) {
  return find_unheld_parts(make_field_sampler(world(), config), config,
                           make_partition(config, world().size()));
}

std::vector<std::string> lines_of(const Config& config) {
  return check_heat_paths(world(), config, make_partition(config, world().size()));
}

std::string refusal(const Config& config) {
  try {
    lines_of(config);
  } catch (const comm::CollectiveError& error) {
    EXPECT_EQ(error.code(), comm::ExitCode::usage);
    return error.what();
  }
  return "";
}

/// The upper three of eight layers are cut off from those below, which a side holds.
const std::string split =
    "regions:\n"
    "  - {material: a}\n"
    "  - {material: b, box: {lower: [0, 0, 0.6], upper: [0.3, 0.3, 0.8]}}\n"
    "  - {material: void, layer: {axis: z, from: 0.3, to: 0.5}}\n"
    "  - {power: 9, box: {lower: [0.5, 0.5, 0.5], upper: [0.8, 0.8, 0.8]}}\n"
    "sides:\n"
    "  z-: {temperature: 300}\n"
    "  z+: {flux: 7, patches: [{name: hole, box: {lower: [0, 0, 0.8], upper: [0.2, 1, 0.8]}, "
    "flux: -3}]}\n";

TEST(HeatPaths, APartCutOffIsDescribed) {
  const auto found = unheld(config_of(split + steady));
  ASSERT_EQ(found.count, 1);
  const auto& part = found.parts.at(0);
  EXPECT_EQ(part.cell, (comm::Int3{0, 0, 5}));
  EXPECT_FALSE(part.whole);
  EXPECT_EQ(part.cells, 12 * 10 * 3);
  EXPECT_NEAR(part.volume, 0.36, 1e-15);
  EXPECT_EQ(part.materials, (std::vector<std::string>{"a", "b"}));
  EXPECT_NEAR(part.capacity, 0.342 * 6 + 0.018 * 30, 1e-14);
  ASSERT_EQ(part.flows.size(), 3U);
  EXPECT_EQ(part.flows[0].first, "sources");
  EXPECT_NEAR(part.flows[0].second, 9, 1e-13);
  EXPECT_EQ(part.flows[1].first, "z+");
  EXPECT_NEAR(part.flows[1].second, 7, 1e-13);
  EXPECT_EQ(part.flows[2].first, "z+_hole");
  EXPECT_NEAR(part.flows[2].second, -0.6, 1e-14);
}

TEST(HeatPaths, ASteadyStateIsRefusedAndItsFlowsAreNamed) {
  const auto text = refusal(config_of(split + steady));
  EXPECT_NE(text.find("nothing holds the temperature of a part of the body"), std::string::npos);
  EXPECT_NE(text.find("the part of a and b from the cell (0, 0, 5), position (0.05, 0.05, 0.55) m "
                      "on, 360 cells and 0.36 m3"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("sources 9 W, z+ 7 W, z+_hole -0.6 W, add up to 15.4 W"), std::string::npos)
      << text;
}

TEST(HeatPaths, InTimeAHeatedPartIsALineWithItsRate) {
  const auto lines = lines_of(config_of(split + in_time));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("15.4 W flow into it"), std::string::npos) << lines[0];
  EXPECT_NE(lines[0].find("its mean rises by 5.941 K/s"), std::string::npos) << lines[0];
  auto quiet = config_of(split + in_time);
  quiet.regions.pop_back();
  quiet.sides[2][1] = {};
  EXPECT_TRUE(lines_of(quiet).empty()) << "nothing heats it";
  quiet.time.integrator = solver::Method::steady;
  EXPECT_NE(refusal(quiet).find("no heat flows into it"), std::string::npos);
}

TEST(HeatPaths, AnyConditionOnTheTemperatureHoldsAPart) {
  const auto with = [](const std::string& z_plus, const std::string& more = "") {
    return unheld(config_of("regions: [{material: a, source: 1}, {material: void, layer: {axis: z, "
                            "from: 0.3, to: 0.5}}]\n"
                            "sides: {z-: {temperature: 300}, z+: {" +
                            z_plus + "}" + more + "}\n" + steady))
        .count;
  };
  EXPECT_EQ(with("flux: 1"), 1);
  EXPECT_EQ(with("temperature: 300"), 0);
  EXPECT_EQ(with("convection: {coefficient: \"2*(x > 1.1)\", ambient: 300}"), 0);
  EXPECT_EQ(with("convection: {coefficient: \"2*(x > 1.2)\", ambient: 300}"), 1) << "zero";
  EXPECT_EQ(with("convection: {coefficient: 0, ambient: 300}"), 1);
  EXPECT_EQ(with("patches: [{name: spot, box: {lower: [0.9, 0.9, 0.8], upper: [1, 1, 0.8]}, "
                 "temperature: 300}]"),
            0);
  EXPECT_EQ(with("flux: 1", ", void: {convection: {coefficient: 3, ambient: 300}}"), 0);
  EXPECT_EQ(with("flux: 1", ", void: {flux: 3}"), 1);
}

TEST(HeatPaths, FluxThroughVoidFacesCounts) {
  const auto found = unheld(
      config_of("regions: [{material: a}, {material: void, layer: {axis: z, from: 0.3, to: 0.5}}]\n"
                "sides: {z-: {temperature: 300}, void: {flux: \"3 + (x > 0.6)\"}}\n" +
                in_time));
  ASSERT_EQ(found.count, 1);
  ASSERT_EQ(found.parts.at(0).flows.size(), 1U);
  EXPECT_EQ(found.parts.at(0).flows[0].first, "void");
  EXPECT_NEAR(found.parts.at(0).flows[0].second, 3.5 * 1.2, 1e-13);
}

TEST(HeatPaths, PeriodicSidesJoinParts) {
  const std::string regions =
      "regions: [{material: a}, {material: void, layer: {axis: y, from: 0.3, to: 0.4}}]\n";
  const std::string hold =
      "x-: {patches: [{name: spot, box: {lower: [0, 0, 0], upper: [0, 0.2, 0.8]}, temperature: "
      "300}]}";
  EXPECT_EQ(unheld(config_of(regions + "sides: {" + hold + "}\n" + steady)).count, 1);
  EXPECT_EQ(unheld(config_of(regions + "sides: {y: periodic, " + hold + "}\n" + steady)).count, 0);
}

/// Walls leave one way through the domain, from x- at y = 0 and to and fro along z and x.
std::string maze(bool closed) {
  std::string regions = "regions:\n  - {material: a}\n";
  for (int wall = 1; wall < 12; wall += 2) {
    const bool open_above = wall % 4 == 1 && !(closed && wall == 5);
    const bool open_below = wall % 4 == 3;
    regions += "  - {material: void, box: {lower: [" + std::to_string(0.1 * wall) + ", 0, " +
               (open_below ? "0.1" : "0") + "], upper: [" + std::to_string(0.1 * wall + 0.1) +
               ", 1, " + (open_above ? "0.7" : "0.8") + "]}}\n";
  }
  return regions + "sides: {x-: {temperature: 300}}\n" + steady;
}

TEST(HeatPaths, AWayToAndFroThroughAllBlocksIsFound) {
  EXPECT_EQ(unheld(config_of(maze(false))).count, 0);
  const auto found = unheld(config_of(maze(true)));
  ASSERT_EQ(found.count, 1);
  EXPECT_EQ(found.parts.at(0).cell, (comm::Int3{6, 0, 0}));
  EXPECT_EQ(found.parts.at(0).cells, 10 * (3 * 8 + 3)) << "columns 6, 8, 10 and ways from 7 on";
}

TEST(HeatPaths, ManyPartsAreCountedAndTheFirstDescribed) {
  std::string regions = "regions:\n  - {material: a}\n";
  for (int wall = 1; wall < 12; wall += 2)
    regions += "  - {material: void, layer: {axis: x, from: " + std::to_string(0.1 * wall) +
               ", to: " + std::to_string(0.1 * wall + 0.1) + "}}\n";
  const auto found = unheld(config_of(regions + steady));
  EXPECT_EQ(found.count, 6);
  ASSERT_EQ(found.parts.size(), 4U);
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(found.parts[static_cast<std::size_t>(n)].cell, (comm::Int3{2 * n, 0, 0}));
    EXPECT_EQ(found.parts[static_cast<std::size_t>(n)].cells, 80);
  }
  EXPECT_NE(refusal(config_of(regions + steady)).find("there are 6 such parts"), std::string::npos);
}

TEST(HeatPaths, AWholeBodyWithTablesAndUnevenCells) {
  const auto config = parse_config(
      "grid: {x: {upper: 1, cells: 12}, y: {layers: [[0.1, 4], [0.9, 3]]}}\n"
      "initial: {temperature: 350}\n"
      "materials: {a: {conductivity: 1, density: 2, heat_capacity: 5}}\n"
      "regions: [{source: \"4*y\"}]\n"
      "sides: {y-: {flux: -2}}\n" +
          in_time,
      "test", {});
  const auto found = unheld(config);
  ASSERT_EQ(found.count, 1);
  EXPECT_TRUE(found.parts.at(0).whole);
  EXPECT_NEAR(found.parts.at(0).volume, 1, 1e-14);
  EXPECT_TRUE(found.parts.at(0).balanced()) << "4 y over the unit square makes 2 W";
  EXPECT_TRUE(lines_of(config).empty());
  const auto table = parse_config(
      "grid: {cells: [12, 9], upper: [2, 3]}\n"
      "initial: {temperature: \"300 + 50*x\"}\n"
      "materials: {a: {conductivity: 1, density: 2, heat_capacity: {table: {300: 1, 400: 3}}}}\n"
      "regions: [{source: 7}]\n" +
          in_time,
      "test", {});
  EXPECT_NEAR(unheld(table).parts.at(0).capacity, 6 * 2 * 2, 1e-12) << "c is 2 at the mean";
  EXPECT_NE(lines_of(table).at(0).find("the body: 42 W flow into it (sources 42 W), so that its "
                                       "mean rises by 1.75 K/s"),
            std::string::npos)
      << lines_of(table).at(0);
}

TEST(HeatPaths, WhatChangesWithTimeMayHold) {
  const auto lines = [](const std::string& side) {
    return lines_of(config_of("regions: [{material: a, source: 1}]\nsides: {x-: {" + side + "}}\n" +
                              in_time))
        .size();
  };
  EXPECT_EQ(lines("flux: \"t\""), 1U);
  EXPECT_EQ(lines("convection: {coefficient: \"t\", ambient: 300}"), 0U);
  EXPECT_EQ(lines("radiation: {emissivity: 0.5, ambient: 300}"), 0U);
}

}  // namespace
}  // namespace halotherm::app
