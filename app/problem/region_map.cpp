// SPDX-License-Identifier: MIT
#include "app/problem/region_map.hpp"

#include "app/domain/geometry.hpp"
#include "app/problem/region_shape.hpp"
#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

Owner material_index(const Config& config, const std::string& name) {
  if (name == void_material) return void_owner;
  const auto found = std::ranges::find(config.materials, name, &MaterialConfig::name);
  return static_cast<Owner>(found - config.materials.begin());
}

/// The cells of a region, one flag each.
using Flags = std::vector<char>;

Flags inside_shape(const SamplePoints& points, const RegionShape& shape) {
  const auto& box = points.box;
  Flags inside(static_cast<std::size_t>(box.size()), 0);
  std::array<Flags, 3> reached;
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    for (const double coordinate : points.coordinates[a])
      reached[a].push_back(shape.reaches(axis, coordinate) ? 1 : 0);
  }
  const auto& [x, y, z] = points.coordinates;
  auto cell = inside.begin();
  for (std::size_t k = 0; k < z.size(); ++k) {
    for (std::size_t j = 0; j < y.size(); ++j, cell += box.extent(0)) {
      if (reached[1][j] == 0 || reached[2][k] == 0) continue;
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (reached[0][i] != 0 && shape.contains(x[i], y[j], z[k]))
          cell[static_cast<std::ptrdiff_t>(i)] = 1;
      }
    }
  }
  return inside;
}

class Painter {
 public:
  Painter(const FieldSampler& sampler, const Config& config, const comm::Box& box)
      : sampler_(sampler),
        config_(config),
        box_(box),
        count_(static_cast<std::size_t>(box.size())) {
    const auto below = config.materials.size() == 1 ? Owner{0} : no_owner;
    map_.material.assign(count_, below);
    map_.region.assign(count_, no_owner);
    map_.source.assign(count_, no_owner);
  }

  RegionMap paint() && {
    for (std::size_t n = 0; n < config_.regions.size(); ++n) {
      config_.regions[n].labels ? paint_labels(n) : paint_shape(n);
    }
    comm::agree(sampler_.world, [&] { require_materials(); });
    for (std::size_t cell = 0; cell < count_; ++cell) {
      if (map_.material[cell] == void_owner) map_.source[cell] = no_owner;
    }
    return std::move(map_);
  }

 private:
  void paint_shape(std::size_t n) {
    const auto& region = config_.regions[n];
    const RegionShape shape(region);
    const auto key = region_key(n) + ".formula";
    Flags inside;
    if (shape.limited()) {
      inside = inside_shape(sampler_.points_of_cells(box_), shape);
    } else if (region.formula) {
      inside = comm::agreed(sampler_.world, [&] {
        auto sampled = sampler_.on_cells(key, *region.formula, box_, Range::any);
        const auto values = sampled.at(0);
        Flags flags(count_, 0);
        for (std::size_t cell = 0; cell < count_; ++cell)
          flags[cell] = values[values.size() == 1 ? 0 : cell] != 0 ? 1 : 0;
        return flags;
      });
    } else {
      inside.assign(count_, 1);
    }
    const auto material =
        region.material.empty() ? no_owner : material_index(config_, region.material);
    map_.cells.push_back(0);
    for (std::size_t cell = 0; cell < count_; ++cell) {
      if (inside[cell] != 0) put(cell, n, material);
    }
  }

  void paint_labels(std::size_t n) {
    const auto& region = config_.regions[n];
    std::map<double, Owner> materials;
    for (const auto& [label, name] : region.materials)
      materials[static_cast<double>(label)] = material_index(config_, name);
    const auto sampled =
        sampler_.cells(region_key(n) + ".labels", *region.labels, box_, Range::any);
    const auto& values = std::get<std::vector<double>>(sampled);
    map_.cells.push_back(0);
    comm::agree(sampler_.world, [&] {
      for (std::size_t cell = 0; cell < count_; ++cell) {
        const auto found = materials.find(values[cell]);
        if (found == materials.end()) {
          throw comm::Error(
              comm::ExitCode::input_output,
              {fmt::format("{}.labels: the label {:g} at {} has no material", region_key(n),
                           values[cell], place_of(cell)),
               region_key(n) + ".materials names those of the others", "add it there"});
        }
        put(cell, n, found->second);
      }
    });
  }

  void put(std::size_t cell, std::size_t region, Owner material) {
    const auto owner = static_cast<Owner>(region);
    const bool heats = config_.regions[region].source || config_.regions[region].power;
    ++map_.cells[region];
    if (material != no_owner) {
      map_.material[cell] = material;
      map_.region[cell] = owner;
      map_.source[cell] = no_owner;
    }
    if (heats) map_.source[cell] = owner;
  }

  std::string place_of(std::size_t n) const {
    const auto plane = static_cast<std::size_t>(box_.extent(0)) *
                       static_cast<std::size_t>(box_.extent(1)),
               row = static_cast<std::size_t>(box_.extent(0));
    comm::Int3 cell{box_.lower[0] + static_cast<int>(n % row),
                    box_.lower[1] + static_cast<int>(n % plane / row),
                    box_.lower[2] + static_cast<int>(n / plane)};
    for (int axis = 0; axis < 3; ++axis) cell[axis] = sampler_.inside(axis, cell[axis]);
    return io::place_text(shape_of(sampler_.grid), cell);
  }

  void require_materials() const {
    const auto missing = std::ranges::find(map_.material, no_owner);
    if (missing == map_.material.end()) return;
    const auto n = static_cast<std::size_t>(missing - map_.material.begin());
    throw comm::Error(comm::ExitCode::usage,
                      {"regions: none gives " + place_of(n) + " a material",
                       "with several materials, regions have to cover the domain",
                       "add a first region of one material everywhere"});
  }

  const FieldSampler& sampler_;
  const Config& config_;
  comm::Box box_;
  std::size_t count_;
  RegionMap map_;
};

}  // namespace

RegionMap map_regions(const FieldSampler& sampler, const Config& config, const comm::Box& box) {
  return Painter(sampler, config, box).paint();
}

}  // namespace halotherm::app
