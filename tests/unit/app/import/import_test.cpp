// SPDX-License-Identifier: MIT
#include "app/import/hotspot_conversion.hpp"
#include "app/import/ice_conversion.hpp"
#include "tests/support/error_text.hpp"

#include "app/config/config.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <fstream>
#include <numeric>
#include <string>

namespace halotherm::app {
namespace {

const std::string ice_stack = R"(// two dies
material silicon :
  thermal conductivity 1.3e-4 ; volumetric heat capacity 1.6e-12 ;
material glue : thermal conductivity 1e-6, 2e-6, 3e-6 ; volumetric heat capacity 2e-12 ;
top heat sink : heat transfer coefficient 1e-07 ; temperature 300.0 ;
dimensions : chip length 1000, width 500 ; cell length 100, width 50 ;
layer JOINT : height 10 ; material glue ;
die TOP : layer 48 silicon ; source 2 silicon ;
stack:
  die a TOP floorplan "a.flp" ;
  layer joint JOINT ;
solver: transient step 0.001, slot 0.02 ; initial temperature 310 ;
output: T ( a, 950, 0, "a.txt", step ) ; Tmap ( a, "b.txt", slot ) ;
)";
const std::string ice_floorplan =
    R"(core: position 0, 0 ; dimension 500, 500 ; power values 3, 3, 0 ;
rest: rectangle (500, 0, 100, 500) ; rectangle (600, 0, 400, 500) ; power values 1, 2, 2 ;
)";

const std::string hotspot_config = R"(# a package
-t_chip 0.00015 # [m]
-k_chip 130
-p_chip 1.6e6
-c_convec 140.4
-r_convec 0.1
-s_sink 0.06
-t_sink 0.0069
-k_sink 400
-p_sink 3.5e6
-s_spreader 0.03
-t_spreader 0.001
-material_spreader copper
-t_interface 2e-5
-k_interface 4
-p_interface 4e6
-ambient 318
-init_temp 320
-init_file (null)
-sampling_intvl 0.01
-grid_rows 8
-grid_cols 16
-leakage_used 1
)";
const std::string hotspot_floorplan = "left\t0.008\t0.016\t0\t0\nright\t0.008\t0.016\t0.008\t0\n";
const std::string hotspot_powers = "left right\n10 2\n20 2\n";
const std::string hotspot_materials = "copper\nsolid\n400\n3.5e6\n\nwater\nfluid\n0.6\n4e6\n9e-4\n";

class Import : public testing::Test {
 protected:
  Import()
      : folder_(std::filesystem::temp_directory_path() /
                ("halotherm_import_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    write("a.stk", ice_stack);
    write("a.flp", ice_floorplan);
    write("h.config", hotspot_config);
    write("h.flp", hotspot_floorplan);
    write("h.ptrace", hotspot_powers);
    write("h.materials", hotspot_materials);
  }
  ~Import() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Stack ice() const { return import_ice(folder_ / "a.stk"); }
  Stack hotspot(bool steady = false) const {
    const HotspotFiles files{folder_ / "h.config", folder_ / "h.flp", folder_ / "h.ptrace",
                             folder_ / "h.materials", ""};
    return import_hotspot(files, steady);
  }
  void expect_ice_error(const std::string& text, const std::string& part) const {
    write("a.stk", text);
    test::expect_part(test::usage_error([&] { ice(); }), part);
  }

  std::filesystem::path folder_;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

double power_of(const Stack& stack, std::size_t slot) {
  double sum = 0;
  for (const auto& block : stack.blocks)
    sum += block.power.empty() ? 0 : block.power[std::min(slot, block.power.size() - 1)];
  return sum;
}

TEST_F(Import, ReadsAStackOf3dIce) {
  const auto stack = ice();
  EXPECT_EQ(stack.materials[0].conductivity, std::vector<double>{130});
  EXPECT_EQ(stack.materials[1].conductivity, (std::vector<double>{1, 2, 3}));
  EXPECT_DOUBLE_EQ(stack.materials[0].heat_capacity, 1.6e6);
  ASSERT_EQ(stack.axes[2].layers.size(), 3U);
  EXPECT_DOUBLE_EQ(stack.axes[2].layers[0].first, 10e-6);  // from the bottom up
  EXPECT_DOUBLE_EQ(stack.axes[2].layers[2].first, 48e-6);
  EXPECT_EQ(stack.axes[0].layers.front().second, 10);
  EXPECT_EQ(stack.blocks.size(), 6U);
  EXPECT_DOUBLE_EQ(power_of(stack, 0), 4);
  EXPECT_DOUBLE_EQ(power_of(stack, 2), 2);
  EXPECT_DOUBLE_EQ(stack.blocks.back().power[1], 2 * 0.8);  // by area
  EXPECT_DOUBLE_EQ((*stack.sinks[1])[0], 1e5);
  EXPECT_FALSE(stack.sinks[0].has_value());
  EXPECT_DOUBLE_EQ(stack.end, 0.06);
  ASSERT_EQ(stack.sensors.size(), 1U);
  EXPECT_DOUBLE_EQ(stack.sensors[0].at[0], 950e-6);
  EXPECT_DOUBLE_EQ(stack.sensors[0].at[1], 25e-6);
  EXPECT_DOUBLE_EQ(stack.sensors[0].at[2], 11e-6);
}

TEST_F(Import, MakesConfigurationsThatAreRead) {
  for (const auto& yaml : {to_yaml(ice()), to_yaml(hotspot()), to_yaml(hotspot(true))}) {
    const auto config = parse_config(yaml, "imported.yaml", {});
    EXPECT_EQ(config.dimensions(), 3);
    EXPECT_FALSE(config.regions.empty());
  }
  const auto config = parse_config(to_yaml(ice()), "imported.yaml", {});
  const auto& table = std::get<Table>(*config.regions[3].power);
  EXPECT_TRUE(table.held);
  EXPECT_EQ(table.points, (std::vector<std::array<double, 2>>{{0, 3}, {0.04, 0}}));
}

TEST_F(Import, ReadsLinesOfAllKinds) {
  std::string text;
  for (const char c : ice_stack) text += c == '\n' ? "\r\n" : std::string(1, c);
  const auto yaml = to_yaml(ice());
  write("a.stk", text);
  EXPECT_EQ(to_yaml(ice()), yaml);
}

TEST_F(Import, RefusesWhat3dIceHasAndHalothermHasNot) {
  expect_ice_error("microchannel 4rm : height 100 ;" + ice_stack,
                   "a.stk:1: microchannel has no counterpart");
  expect_ice_error(replaced(ice_stack, "  layer joint JOINT", "  channel c"),
                   "a.stk:11: a channel has no counterpart");
  expect_ice_error(replaced(ice_stack, "top heat", "top pluggable heat"), "has no counterpart");
}

TEST_F(Import, NamesMistakesIn3dIceFiles) {
  expect_ice_error(replaced(ice_stack, "48 silicon", "48 gold"),
                   "a.stk:8: \"gold\" is no material");
  expect_ice_error(replaced(ice_stack, "layer 48", "layer -48"), "is \"-48\"");
  expect_ice_error(replaced(ice_stack, "layer 48", "layer 1e999"), "is \"1e999\"");
  expect_ice_error(replaced(ice_stack, "layer 48", "layer nan"), "is \"nan\"");
  expect_ice_error(replaced(ice_stack, "die a TOP", "die a UP"), "\"UP\" is not defined");
  expect_ice_error(replaced(ice_stack, "T ( a,", "T ( b,"), "\"b\" is not in the stack");
  expect_ice_error(ice_stack + "/* no end", "the comment does not end");
  expect_ice_error("", "has no stack");
  expect_ice_error(replaced(ice_stack, "a.flp", "b.flp"), "b.flp");
  expect_ice_error(replaced(ice_stack, "chip length 1000", "chip length 900"),
                   "a.flp:2: the rectangle at (600, 0) of 400 x 500 um is not on the chip");
}

TEST_F(Import, NamesMistakesInFloorplans) {
  write("a.flp", replaced(ice_floorplan, "3, 3, 0", "3, 3"));
  test::expect_part(test::usage_error([&] { ice(); }), "others have 2, one a slot");
  write("a.flp", replaced(ice_floorplan, "dimension 500, 500 ;", ""));
  test::expect_part(test::usage_error([&] { ice(); }), "a.flp:1: ");
  write("a.flp", replaced(ice_floorplan, "power values 3, 3, 0 ;", ""));
  test::expect_part(test::usage_error([&] { ice(); }), "a.flp:1: core has no power values");
}

/// Each beginning of a file is read or refused by a message.
TEST_F(Import, SurvivesFilesThatEndEarly) {
  for (std::size_t size = 0; size < ice_stack.size(); size += 5) {
    write("a.stk", ice_stack.substr(0, size));
    test::usage_error([&] { ice(); });
  }
  write("a.stk", ice_stack);
  for (std::size_t size = 0; size < ice_floorplan.size(); size += 2) {
    write("a.flp", ice_floorplan.substr(0, size));
    test::usage_error([&] { ice(); });
  }
  for (const auto& [name, text] : {std::pair("h.config", hotspot_config),
                                   {"h.flp", hotspot_floorplan},
                                   {"h.ptrace", hotspot_powers},
                                   {"h.materials", hotspot_materials}}) {
    for (std::size_t size = 0; size < text.size(); size += 5) {
      write(name, text.substr(0, size));
      test::usage_error([&] { hotspot(); });
    }
    write(name, text);
  }
}

TEST_F(Import, ReadsAPackageOfHotspot) {
  const auto stack = hotspot();
  EXPECT_DOUBLE_EQ(power_of(stack, 0), 12);
  EXPECT_DOUBLE_EQ(power_of(stack, 1), 22);
  EXPECT_DOUBLE_EQ(power_of(hotspot(true), 0), 17);
  EXPECT_DOUBLE_EQ(stack.end, 0.02);
  EXPECT_DOUBLE_EQ((*stack.sinks[1])[0], 1 / (0.1 * 0.06 * 0.06));
  EXPECT_EQ(stack.initial, 320);
  double length = 0;
  for (const auto& [width, cells] : stack.axes[0].layers) length += width;
  EXPECT_DOUBLE_EQ(length, 0.06);
  EXPECT_EQ(stack.axes[0].layers[2].second, 16);
  EXPECT_EQ(stack.axes[1].layers[2].second, 8);
  test::expect_part(to_yaml(stack), "leakage that depends on the temperature is left out");
}

TEST_F(Import, NamesMistakesInHotspotFiles) {
  const auto refused = [&](const char* name, const std::string& text, const std::string& part) {
    write(name, text);
    test::expect_part(test::usage_error([&] { hotspot(); }), part);
  };
  refused("h.config", replaced(hotspot_config, "-t_sink 0.0069\n", ""), "-t_sink is missing");
  refused("h.config", replaced(hotspot_config, "400", "0"), "h.config:9: -k_sink is 0");
  refused("h.config", replaced(hotspot_config, "-s_spreader 0.03", "-s_spreader 0.01"),
          "the spreader of 0.01 m does not fit");
  refused("h.config", replaced(hotspot_config, "copper", "gold"), "\"gold\" is no material");
  refused("h.config", hotspot_config + "word\n", "\"word\" is no setting");
  write("h.config", hotspot_config);
  refused("h.ptrace", "left right\n10\n", "h.ptrace:2: has 1 powers");
  refused("h.ptrace", "left other\n10 1\n", "right has no power");
  refused("h.ptrace", "left right up\n10 1 1\n", "up is in no floorplan");
  refused("h.ptrace", "left left\n10 1\n", "left is named twice");
  refused("h.ptrace", "left right\n10 1e400\n", "power is \"1e400\"");
  write("h.ptrace", hotspot_powers);
  refused("h.flp", "left 1 2\n", "h.flp:1: has 3 entries");
  write("h.flp", hotspot_floorplan);
  refused("h.materials", "copper\ngas\n1\n1\n", "\"gas\" is no type");
}

}  // namespace
}  // namespace halotherm::app
