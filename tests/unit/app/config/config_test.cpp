// SPDX-License-Identifier: MIT
#include "app/config/config.hpp"
#include "app/config/defaults.hpp"
#include "app/config/writer.hpp"
#include "comm/mpi/error.hpp"
#include "tests/support/source_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace halotherm::app {
namespace {

const std::string minimal =
    "grid: {cells: [16, 8], upper: [2, 1]}\n"
    "materials: {solid: {conductivity: 401, density: 8960, heat_capacity: 385}}\n"
    "initial: {temperature: 300}\n"
    "time: {end: 1}\n";

const std::string everything = R"yaml(
title: "every key: \"quotes\", #, tabs are not"
grid: {cells: [12, 8, 4], lower: [-1, 0, 0.1], upper: [1, 1, 0.30000000000000004],
       precision: float32}
materials:
  solid:
    conductivity: [1.5, "1 + x^2", "2*y"]
    density: {file: chip.h5, dataset: /layers/density, made_by: "make_chip.py --refine 2"}
    heat_capacity: "385 + z"
  other: {conductivity: 5, density: 6, heat_capacity: 7}
regions:
  - {material: solid, source: "1e6*sin(2*pi*t)"}
  - {name: box-1, material: other, box: {lower: [-1, 0, 0.1], upper: [0, 1, 0.2]}, power: 12}
  - {cylinder: {axis: y, center: [0, 0, 0.2], radius: 0.3, from: 0.1, to: 0.2}, source: 5}
  - {material: other, sphere: {center: [0, 0.5, 0.2], radius: 0.1}}
  - {material: other, layer: {axis: x, from: -1, to: -0.5}}
  - {formula: "x^2 + y^2 < 0.1", source: {file: chip.h5, dataset: /q}}
  - {labels: {file: part.h5, dataset: /label}, materials: {1: solid, -7: other}}
contacts: [{between: [other, solid], resistance: 1.5e-5}]
initial: {temperature: {file: start.h5, dataset: /T}}
sides:
  x-: {temperature: "300 + t"}
  x+: {convection: {coefficient: 25, ambient: 293.15}}
  y: periodic
  z-: {flux: -100}
  z+: {flux: "5*t", convection: {coefficient: 3, ambient: 290}}
time: {steps: 1000, integrator: euler, dt: 1e-3, safety: 0.5}
parallel: {ranks: [2, 1, 1], transport: staged, overlap: false, halo: 3}
output:
  directory: results/every key
  checkpoint: {walltime: 1h30min, keep: 3}
  fields: {every: 0.25, format: vtkhdf}
  sensors: [{name: centre, at: [0, 0.5, 0.2]}, {name: corner_1, at: [-1, 0, 0.1]}]
  diagnostics: {steps: 7}
  writer: parallel-hdf5
  hints: {striping_factor: 8, romio_cb_write: "enable", cb_config_list: "*:1"}
)yaml";

std::string resolved(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return to_yaml(parse_config(text, "test.yaml", overrides));
}

std::string text_of(const Quantity& quantity) {
  return std::get<Formula>(quantity).text;
}

TEST(Config, minimal_has_the_defaults) {
  const Config config = parse_config(minimal, "some/folder/test.yaml", {});
  EXPECT_EQ(config.dimensions(), 2);
  EXPECT_EQ(config.grid.lower, (std::vector<double>{0, 0}));
  EXPECT_EQ(config.grid.precision, Precision::float64);
  EXPECT_FALSE(config.sides[1][1].temperature || config.sides[1][1].convection);
  EXPECT_EQ(std::get<double>(config.sides[1][1].flux), 0);
  EXPECT_EQ(config.time.dt, std::nullopt);
  EXPECT_EQ(config.parallel.ranks, std::nullopt);
  EXPECT_EQ(config.output.directory, "results");
  EXPECT_EQ(config.folder, "some/folder");
}

TEST(Config, every_key_arrives) {
  const Config config = parse_config(everything, "test.yaml", {});
  EXPECT_EQ(config.title, "every key: \"quotes\", #, tabs are not");
  EXPECT_EQ(config.grid.upper[2], 0.30000000000000004);
  EXPECT_EQ(config.grid.precision, Precision::float32);
  EXPECT_EQ(std::get<double>(config.materials[0].conductivity[0]), 1.5);
  EXPECT_EQ(text_of(config.materials[0].conductivity[2]), "2*y");
  EXPECT_EQ(std::get<FileDataset>(config.materials[0].density).dataset, "/layers/density");
  EXPECT_EQ(std::get<FileDataset>(config.materials[0].density).made_by, "make_chip.py --refine 2");
  EXPECT_EQ(config.materials[1].name, "other");
  ASSERT_EQ(config.contacts.size(), 1U);
  EXPECT_EQ(config.contacts[0].between, (std::array<std::string, 2>{"other", "solid"}));
  EXPECT_EQ(config.contacts[0].resistance, 1.5e-5);
  ASSERT_EQ(config.regions.size(), 7U);
  EXPECT_EQ(text_of(*config.regions[0].source), "1e6*sin(2*pi*t)");
  EXPECT_EQ(config.regions[1].name, "box-1");
  EXPECT_EQ(config.regions[1].box->upper, (std::vector<double>{0, 1, 0.2}));
  EXPECT_EQ(std::get<double>(*config.regions[1].power), 12);
  EXPECT_EQ(config.regions[2].cylinder->axis, Axis::y);
  EXPECT_EQ(config.regions[2].cylinder->from, 0.1);
  EXPECT_EQ(config.regions[3].sphere->radius, 0.1);
  EXPECT_EQ(config.regions[4].layer->to, -0.5);
  EXPECT_EQ(text_of(*config.regions[5].formula), "x^2 + y^2 < 0.1");
  EXPECT_EQ(config.regions[6].materials,
            (std::map<long, std::string>{{1, "solid"}, {-7, "other"}}));
  EXPECT_EQ(text_of(*config.sides[0][0].temperature), "300 + t");
  EXPECT_EQ(std::get<double>(config.sides[0][1].convection->ambient), 293.15);
  EXPECT_TRUE(config.sides[1][0].periodic && config.sides[1][1].periodic);
  EXPECT_EQ(config.time.steps, 1000);
  EXPECT_EQ(config.time.dt, 1e-3);
  EXPECT_EQ(config.parallel.ranks, (std::array<int, 3>{2, 1, 1}));
  EXPECT_EQ(config.parallel.transport, TransportChoice::staged);
  EXPECT_FALSE(config.parallel.overlap);
  EXPECT_EQ(config.parallel.halo, 3);
  EXPECT_EQ(config.output.checkpoint.walltime, 5400);
  EXPECT_EQ(config.output.sensors[1].name, "corner_1");
  EXPECT_EQ(config.output.writer, WriterChoice::parallel_hdf5);
  EXPECT_EQ(config.output.hints, (comm::FileHints{{"striping_factor", "8"},
                                                  {"romio_cb_write", "enable"},
                                                  {"cb_config_list", "*:1"}}));
}

TEST(Config, a_text_that_is_a_number_is_a_number) {
  const Config config = parse_config(minimal, "test.yaml", {"initial.temperature=\"1e3\""});
  EXPECT_EQ(std::get<double>(config.initial_temperature), 1000);
}

TEST(Config, degrees_celsius_become_kelvin) {
  const auto config = parse_config(
      "units: {temperature: celsius}\n"
      "grid: {cells: [16], upper: [2]}\n"
      "materials: {solid: {conductivity: {table: {-20: 1, 100: 2}}, density: 1,\n"
      "  heat_capacity: \"1 + tan(T)^2 + 0*atan2(T,2*T)\", temperatures: [-50, 50]}}\n"
      "initial: {temperature: \"20 + x\"}\n"
      "sides: {x-: {temperature: {table: {0: 20, 60: 95}}}, x+: {flux: 7}}\n"
      "time: {end: 1}\n",
      "test.yaml", {});
  const auto& solid = config.materials.front();
  EXPECT_EQ(std::get<Table>(solid.conductivity.front()).points,
            (std::vector<std::array<double, 2>>{{-20 + 273.15, 1}, {373.15, 2}}));
  EXPECT_EQ(text_of(solid.heat_capacity),
            "1 + tan((T - 273.15))^2 + 0*atan2((T - 273.15),2*(T - 273.15))");
  EXPECT_EQ(*solid.temperatures, (std::array{-50 + 273.15, 50 + 273.15}));
  EXPECT_EQ(text_of(config.initial_temperature), "(20 + x) + 273.15");
  EXPECT_EQ(std::get<Table>(*config.sides[0][0].temperature).points,
            (std::vector<std::array<double, 2>>{{0, 293.15}, {60, 368.15}}));
  EXPECT_EQ(std::get<double>(config.sides[0][1].flux), 7);
  EXPECT_EQ(config.output_unit(), io::TemperatureUnit::celsius);
  EXPECT_EQ(resolved(to_yaml(config)), to_yaml(config));
}

TEST(Config, times_take_units_and_are_echoed_in_seconds) {
  const auto text = resolved(minimal +
                                 "output: {fields: {every: 10min}, checkpoint: {every: "
                                 "1h30min}}\nwatchdog: {seconds: 2d}\n",
                             {"time.end=1h", "time.dt=250us"});
  for (const auto* line : {"  end: 3600\n", "  dt: 0.00025\n", "    every: 600\n",
                           "    every: 5400\n", "  seconds: 172800\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Config, ranks_of_fewer_dimensions_are_filled_up) {
  const Config config = parse_config(minimal + "parallel: {ranks: [4, 2]}\n", "test.yaml", {});
  EXPECT_EQ(config.parallel.ranks, (std::array<int, 3>{4, 2, 1}));
}

const std::string with_cuts =
    minimal + "parallel: {split_points: [[], [2, 7]], rank_mapping: natural}\n";

TEST(Config, cuts_are_lists_of_cells) {
  const Config config = parse_config(with_cuts, "test.yaml", {});
  ASSERT_TRUE(config.parallel.split_points);
  EXPECT_EQ((*config.parallel.split_points)[0], std::vector<int>{});
  EXPECT_EQ((*config.parallel.split_points)[1], (std::vector<int>{2, 7}));
  EXPECT_EQ(config.parallel.rank_mapping, RankMapping::natural);
  EXPECT_EQ(config.parallel.balance, Balance::even);
  EXPECT_NE(resolved(with_cuts).find("  split_points: [[], [2, 7]]\n"), std::string::npos);
}

TEST(Config, resolved_text_gives_itself) {
  for (const auto& text : {minimal, everything, with_cuts, default_yaml()}) {
    const auto once = resolved(text);
    EXPECT_EQ(resolved(once), once);
    EXPECT_TRUE(differing_keys(once, resolved(once)).empty());
  }
}

TEST(Config, axes_are_given_one_by_one) {
  const auto with_grid = [](const std::string& grid) {
    return parse_config("grid: {" + grid +
                            "}\nmaterials: {m: {conductivity: 1, density: 1, heat_capacity: 1}}\n"
                            "initial: {temperature: 0}\ntime: {steps: 1}\n",
                        "test.yaml", {});
  };
  const auto uneven =
      with_grid("x: {cells: 4, upper: 1}, y: {lower: -1, layers: [[1, 2], [3, 1]]}");
  EXPECT_EQ(uneven.grid.cells, (std::vector{4, 3}));
  EXPECT_EQ(uneven.grid.lower, (std::vector{0.0, -1.0}));
  EXPECT_EQ(uneven.grid.upper, (std::vector{1.0, 3.0}));
  EXPECT_EQ(uneven.grid.faces[0], nullptr);
  ASSERT_NE(uneven.grid.faces[1], nullptr);
  EXPECT_EQ(*uneven.grid.faces[1], (std::vector{-1.0, -0.5, 0.0, 3.0}));
  const auto text = to_yaml(uneven);
  EXPECT_EQ(to_yaml(parse_config(text, "test.yaml", {})), text);
  EXPECT_NE(text.find("x: {cells: 4, upper: 1}"), std::string::npos) << text;

  const auto even = with_grid("x: {layers: [[0.5, 2], [0.5, 2]]}, y: {faces: [-1, 1, 3]}");
  EXPECT_EQ(to_yaml(even), to_yaml(with_grid("cells: [4, 2], lower: [0, -1], upper: [1, 3]")));
  EXPECT_TRUE(even.grid.even());
}

TEST(Config, overrides_win_in_their_order) {
  const Config config =
      parse_config(minimal, "test.yaml",
                   {"time.end=2", "time.end=3.5", "grid.cells=[4, 4]", "output.directory=a=b",
                    "sides.x-.temperature=\"300 + y\"", "sides.y-.convection.coefficient=5",
                    "sides.y-.convection.ambient=290", "materials.solid.density.file=a.h5",
                    "materials.solid.density.dataset=/b"});
  EXPECT_EQ(config.time.end, 3.5);
  EXPECT_EQ(config.grid.cells, (std::vector<int>{4, 4}));
  EXPECT_EQ(config.output.directory, "a=b");
  EXPECT_EQ(text_of(*config.sides[0][0].temperature), "300 + y");
  EXPECT_EQ(std::get<FileDataset>(config.materials[0].density).file, "a.h5");
}

TEST(Config, hints_take_overrides) {
  const Config config = parse_config(
      minimal, "test.yaml", {"output.hints.cb_nodes=4", "output.hints.striping_unit=1048576"});
  EXPECT_EQ(config.output.hints,
            (comm::FileHints{{"cb_nodes", "4"}, {"striping_unit", "1048576"}}));
}

TEST(Config, an_empty_override_removes_a_key) {
  const Config config = parse_config(minimal, "test.yaml",
                                     {"time.end=~", "time.steps=5", "output.checkpoint.every="});
  EXPECT_EQ(config.time.end, std::nullopt);
  EXPECT_EQ(config.time.steps, 5);
}

TEST(Config, aliases_are_read) {
  const Config config = parse_config(
      minimal + "sides:\n  x-: &cold {temperature: 280}\n  y+: *cold\n", "test.yaml", {});
  EXPECT_EQ(std::get<double>(*config.sides[1][1].temperature), 280);
}

TEST(Config, a_side_is_written_as_it_is_given) {
  const auto text = resolved(everything);
  for (const auto* line : {"  x-: {temperature: \"300 + t\"}\n",
                           "  x+: {flux: 0, convection: {coefficient: 25, ambient: 293.15}}\n",
                           "  y-: periodic\n", "  z-: {flux: -100}\n",
                           "  z+: {flux: \"5*t\", convection: {coefficient: 3, ambient: 290}}\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(Config, differing_keys_are_named_once_each) {
  const auto a = resolved(minimal),
             b = resolved(minimal, {"materials.solid.density=1", "grid.cells=[8, 8]", "time.end=~",
                                    "time.steps=4"});
  EXPECT_EQ(differing_keys(a, b), (std::vector<std::string>{"grid.cells", "materials.solid.density",
                                                            "time.end", "time.steps"}));
  const auto c = resolved(minimal, {"materials.solid.density={file: a.h5, dataset: /d}"});
  EXPECT_EQ(differing_keys(a, c), (std::vector<std::string>{"materials.solid.density"}));
  const auto d = resolved(minimal, {"materials.solid.density={file: b.h5, dataset: /d}"});
  EXPECT_EQ(differing_keys(c, d), (std::vector<std::string>{"materials.solid.density.file"}));
}

TEST(Config, the_configurations_of_the_repository_are_right) {
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_NO_THROW(parse_config(text.str(), entry.path().string(), {})) << entry.path();
  }
}

}  // namespace
}  // namespace halotherm::app
