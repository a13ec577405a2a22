// SPDX-License-Identifier: MIT
// Materials and sources of regions: every rank has those of the whole grid in its block.
#include "app/problem/region_sampler.hpp"

#include "app/domain/geometry.hpp"
#include "app/problem/device_source.hpp"
#include "app/problem/region_census.hpp"
#include "tests/support/error_text.hpp"
#include "tests/support/hdf5_file.hpp"
#include "tests/support/io_support.hpp"
#include "tests/support/source_values.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

using test::world;

const std::string head = R"yaml(
grid: {cells: [12, 10, 8], upper: [1.2, 1, 0.8]}
initial: {temperature: 300}
sides: {y: periodic}
time: {steps: 1}
materials:
  a: {conductivity: 1, density: 2, heat_capacity: 3}
  b: {conductivity: [4, "5 + x", 6], density: "1/(0.3 - z)", heat_capacity: 3}
)yaml";

/// The density of b is positive inside the layer alone, and 1/0 beside the last region.
const std::string shapes = R"yaml(
regions:
  - {material: a, source: 7}
  - {material: b, layer: {axis: z, from: 0, to: 0.25}}
  - {name: hot, formula: "x > 0.6 && y > 0.5", source: "t/(x > 0.6)"}
  - {name: rod, cylinder: {axis: z, center: [0.3, 0.3, 0], radius: 0.16}, power: 24}
)yaml";

Config config_of(const std::string& regions, const std::filesystem::path& folder = "") {
  return parse_config(head + regions, (folder / "test").string(), {});
}

/// What a cell should have, and whether it does in `box`.
struct Expected {
  double conductivity_y, density, source;  ///< the source at t = 2
};

Expected expected_at(double x, double y, double z) {
  const bool b = z<0.25, hot = x> 0.6 && y > 0.5,
             rod = (x - 0.3) * (x - 0.3) + (y - 0.3) * (y - 0.3) < 0.16 * 0.16;
  constexpr double rod_cells = 12 * 8;
  const double source = rod ? 24 / (rod_cells * 1e-3) : hot ? 2 : b ? 0 : 7;
  return {b ? 5 + x : 1, b ? 1 / (0.3 - z) : 2, source};
}

TEST(RegionSampler, GivesEachCellTheMaterialAndTheSourceOnTop) {
  const auto config = config_of(shapes);
  const auto sampler = make_field_sampler(world(), config);
  const auto owned = make_partition(config, world().size()).owned(world().rank());
  const auto box = comm::grown(owned, {2, 2, 2}, {2, 2, 2});
  const auto dense = with_source_densities(sampler, config, owned);
  RegionSampler regions(sampler, dense, box, owned);
  const auto material = std::get<solver::Material>(regions.material());
  const auto density = regions.density();
  const auto source = regions.changing_source(material);
  ASSERT_EQ(material.conductivity.size(), 3U);
  ASSERT_TRUE(source.has_value());
  solver::HeatEquation<double> equation(sampler.grid, owned, material, 2);
  DeviceSource<double>(*source, owned).apply(comm::Space(), 2, equation);
  const auto at_two = test::values_of(equation.source(), box);
  std::size_t n = 0;
  int wrong = 0;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i, ++n) {
        const auto centre = [&](int axis, int index) {
          return sampler.grid.centre(axis, sampler.inside(axis, index));
        };
        const auto expected = expected_at(centre(0, i), centre(1, j), centre(2, k));
        const auto value = [&](const solver::Coefficient& c) {
          return std::get<std::vector<double>>(c)[n];
        };
        const bool right = value(material.conductivity[1]) == expected.conductivity_y &&
                           value(density) == expected.density &&
                           value(material.volumetric_heat_capacity) == 3 * expected.density &&
                           std::abs(at_two[n] - expected.source) < 1e-9;
        wrong += right ? 0 : 1;
      }
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(RegionSampler, AValueThatAllCellsHaveIsOneNumber) {
  const auto config = config_of(
      "regions:\n"
      "  - {material: b}\n"
      "  - {material: a}\n"
      "  - {material: a, box: {lower: [0, 0, 0], upper: [0.5, 1, 0.8]}, source: 0}\n");
  const auto sampler = make_field_sampler(world(), config);
  const auto owned = make_partition(config, world().size()).owned(world().rank());
  const auto material =
      std::get<solver::Material>(RegionSampler(sampler, config, owned, owned).material());
  EXPECT_EQ(std::get<double>(material.conductivity[1]), 1);
  EXPECT_EQ(std::get<double>(material.volumetric_heat_capacity), 6);
  EXPECT_EQ(std::get<double>(material.source), 0);
}

TEST(RegionSampler, CountsCellsMassAndPower) {
  const auto config = config_of(shapes);
  const auto sampler = make_field_sampler(world(), config);
  const auto owned = make_partition(config, world().size()).owned(world().rank());
  const auto dense = with_source_densities(sampler, config, owned);
  const auto census = count_regions(sampler, dense, owned, 1e9, true);
  ASSERT_EQ(census.regions.size(), 4U);
  EXPECT_EQ(census.counted, 1);
  EXPECT_EQ(census.regions[0].cells, 12 * 10 * 6);
  EXPECT_NEAR(census.regions[0].mass, 2 * 0.72, 1e-12);
  EXPECT_EQ(census.regions[1].cells, 12 * 10 * 2);
  EXPECT_NEAR(census.regions[1].mass, 0.12 * (1 / 0.25 + 1 / 0.15), 1e-12);
  EXPECT_EQ(census.regions[2].cells, 6 * 5 * 8);
  EXPECT_EQ(census.regions[3].name, "rod");
  EXPECT_NEAR(census.regions[3].power, 24, 1e-12);
  EXPECT_NEAR(census.regions[0].power, 7e-3 * 6 * (120 - 30 - 12), 1e-12);
}

std::string error_of(const std::string& regions, const std::filesystem::path& folder = "") {
  const auto config = config_of(regions, folder);
  const auto sampler = make_field_sampler(world(), config);
  const auto owned = make_partition(config, world().size()).owned(world().rank());
  try {
    const auto dense = with_source_densities(sampler, config, owned);
    RegionSampler(sampler, dense, owned, owned).material();
  } catch (const comm::CollectiveError& error) {
    return error.what();
  }
  return "";
}

TEST(RegionSampler, RefusesRegionsThatLeaveCellsOrHaveNone) {
  test::expect_part(error_of("regions:\n"
                             "  - {material: a, layer: {axis: x, from: 0, to: 0.5}}\n"
                             "  - {material: b, layer: {axis: x, from: 0.55, to: 1}}\n"),
                    "gives the cell (");
  test::expect_part(
      error_of("regions:\n  - {material: a}\n"
               "  - {material: b, sphere: {center: [0.5, 0.5, 0.5], radius: 0.01}}\n"),
      "regions[1]: has no cell");
  test::expect_part(error_of("regions:\n"
                             "  - {material: a, power: 5}\n  - {material: b}\n"
                             "  - {material: a, layer: {axis: z, from: 0, to: 0.8}}\n"),
                    "regions[0]: has a power and no cell");
}

TEST(RegionSampler, LabelsChooseMaterials) {
  const test::TemporaryFolder folder(world());
  std::vector<double> labels(12 * 10 * 8);
  for (std::size_t n = 0; n < labels.size(); ++n) labels[n] = n % 12 < 5 ? 3 : -1;
  test::by_root(world(), [&] {
    test::add_dataset(folder.path() / "part.h5", "label", {8, 10, 12}, labels, H5T_STD_I8LE);
  });
  const std::string text = "regions: [{labels: {file: part.h5, dataset: /label}, materials: ";
  const auto config = config_of(text + "{3: a, -1: b}}]\n", folder.path());
  const auto sampler = make_field_sampler(world(), config);
  const comm::Box whole{{0, 0, 0}, {12, 10, 2}};  // where the density of b is positive
  const auto density = RegionSampler(sampler, config, whole, whole).density();
  EXPECT_EQ(std::get<std::vector<double>>(density)[4], 2);
  EXPECT_NEAR(std::get<std::vector<double>>(density)[5], 1 / 0.25, 1e-12);
  test::expect_part(error_of(text + "{3: a, 7: b}}]\n", folder.path()),
                    "regions[0].labels: the label -1 at the cell (5, 0, 0)");
}

}  // namespace
}  // namespace halotherm::app
