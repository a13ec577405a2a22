// SPDX-License-Identifier: MIT
#include "app/output/material_file.hpp"

#include "app/config/writer.hpp"
#include "app/domain/geometry.hpp"
#include "app/problem/region_map.hpp"
#include "io/field/field_writer.hpp"
#include "io/field/snapshot_layout.hpp"
#include "io/hdf5/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace halotherm::app {

namespace {

const comm::Quantity material{"material", "1", "material of a cell"};

/// Void comes after the materials.
std::vector<std::string> names_of(const Config& config) {
  std::vector<std::string> names;
  for (const auto& each : config.materials) names.push_back(each.name);
  if (config.has_void()) names.emplace_back(void_material);
  return names;
}

/// As the CF conventions have it: the values that occur, and a name for each.
void write_names(hid_t field, const std::vector<std::string>& names) {
  std::vector<double> values(names.size());
  std::iota(values.begin(), values.end(), 0.0);
  io::hdf5::write_attribute(field, "units", material.unit);
  io::hdf5::write_attribute(field, "flag_values", std::span<const double>(values));
  io::hdf5::write_attribute(field, "flag_meanings", fmt::format("{}", fmt::join(names, " ")));
}

std::vector<float> indices_in(const RegionMap& map, std::size_t materials) {
  std::vector<float> indices(map.material.size());
  std::ranges::transform(map.material, indices.begin(), [&](Owner owner) {
    return static_cast<float>(owner == void_owner ? materials : std::size_t{owner});
  });
  return indices;
}

}  // namespace

void write_materials(const comm::Communicator& world, const Config& config, const comm::Box& owned,
                     const std::filesystem::path& file) {
  const auto sampler = make_field_sampler(world, config);
  const auto indices = indices_in(map_regions(sampler, config, owned), config.materials.size());
  const auto names = names_of(config);
  const auto resolved = to_yaml(config);
  io::SharedField field;
  field.path = file;
  field.grid = shape_of(sampler.grid);
  const auto layout = io::snapshot_layout(io::SnapshotFormat::netcdf, field.grid);
  field.group = layout.group;
  field.fields = {material};
  field.axes = layout.axes;
  field.description_bytes = static_cast<std::int64_t>(resolved.size()) + layout.grid_bytes + 65536;
  field.describe = [&](hid_t target, std::span<const io::hdf5::Dataset> datasets, bool fills) {
    layout.describe_grid(target, datasets, fills);
    io::hdf5::write_attribute(target, "format", std::string("halotherm-materials"));
    io::hdf5::write_attribute(target, "format_version", std::int64_t{1});
    io::hdf5::write_attribute(target, "length_unit", std::string("m"));
    write_names(datasets.front().get(), names);
    io::hdf5::write_text(target, layout.config, resolved, fills);
  };
  io::write_shared_field<float>(world, std::move(field), owned, indices);
}

}  // namespace halotherm::app
