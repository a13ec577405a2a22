// SPDX-License-Identifier: MIT
#include "app/problem/region_sampler.hpp"

#include "app/config/material_tables.hpp"
#include "app/problem/contacts.hpp"
#include "comm/mpi/error.hpp"

#include <algorithm>
#include <map>

namespace halotherm::app {

namespace {

/// A product of two coefficients on the same box.
solver::Coefficient product(const solver::Coefficient& a, const solver::Coefficient& b) {
  const auto* number_a = std::get_if<double>(&a);
  const auto* number_b = std::get_if<double>(&b);
  if (number_a && number_b) return *number_a * *number_b;
  const auto at = [](const solver::Coefficient& c, std::size_t n) {
    const auto* number = std::get_if<double>(&c);
    return number ? *number : std::get<std::vector<double>>(c)[n];
  };
  std::vector<double> values(std::get<std::vector<double>>(number_a ? b : a).size());
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = at(a, n) * at(b, n);
  return values;
}

/// Copies the values of an owner's cells.
void copy_values(std::span<const double> from, const Owners& owners, Owner owner,
                 std::span<double> to) {
  for (std::size_t n = 0; n < to.size(); ++n) {
    if (owners[n] == owner) to[n] = from[from.size() == 1 ? 0 : n];
  }
}

/// The region of a part of the source.
const RegionConfig& region_of(const Config& config, const OwnedQuantity& part) {
  return config.regions[part.owner];
}

solver::Bounds temperatures_of_part(const Config& config, const OwnedQuantity& part) {
  return temperatures_of(region_of(config, part));
}

/// Without shapes, all cells have the owners of any.
comm::Box mapped_box(const Config& config, const comm::Box& box) {
  if (has_shapes(config)) return box;
  const auto& [i, j, k] = box.lower;
  return {{i, j, k}, {i + 1, j + 1, k + 1}};
}

}  // namespace

double largest_conductivity(const solver::AnyMaterial& material, std::size_t cell, int axis) {
  const auto along = [&](const auto& of_axes) -> const auto& {
    return of_axes[of_axes.size() == 1 ? 0 : static_cast<std::size_t>(axis)];
  };
  if (const auto* constant = std::get_if<solver::Material>(&material))
    return std::get<std::vector<double>>(along(constant->conductivity))[cell];
  const auto& tables = std::get<solver::TabulatedMaterial>(material);
  const auto& of_cell = tables.materials[tables.of_cell.empty() ? 0 : tables.of_cell[cell]];
  const auto& table = along(of_cell.conductivity);
  return of_cell.conductivity_factor.largest *
         std::ranges::max_element(table, {}, &solver::PropertyPoint::value)->value;
}

double smallest_capacity(const solver::AnyMaterial& material, std::size_t cell) {
  if (const auto* constant = std::get_if<solver::Material>(&material)) {
    const auto& capacity = constant->volumetric_heat_capacity;
    const auto* number = std::get_if<double>(&capacity);
    return number != nullptr ? *number : std::get<std::vector<double>>(capacity)[cell];
  }
  const auto& tables = std::get<solver::TabulatedMaterial>(material);
  const auto& table = tables.materials[tables.of_cell.empty() ? 0 : tables.of_cell[cell]];
  return std::ranges::min_element(table.volumetric_heat_capacity, {}, &solver::PropertyPoint::value)
      ->value;
}

RegionSampler::RegionSampler(const FieldSampler& sampler, const Config& config,
                             const comm::Box& box, const comm::Box& owned)
    : sampler_(sampler),
      config_(config),
      box_(box),
      owned_(owned),
      map_(map_regions(sampler, config, mapped_box(config, box))),
      materials_(std::make_shared<const Owners>(std::move(map_.material))),
      sources_(std::make_shared<const Owners>(std::move(map_.source))) {}

solver::AnyMaterial RegionSampler::material() {
  if (has_tables(config_)) return tabulated_material();
  return constant_material();
}

/// Formulas and tables of materials have values in all cells or in none, so nothing can fail here.
solver::TabulatedMaterial RegionSampler::tabulated_material() {
  solver::TabulatedMaterial result{tables_of_materials(config_), {}, 0.0};
  const auto owners = owners_of_materials(config_);
  const bool has_void = config_.has_void() && has_shapes(config_);
  if (has_void) result.materials.push_back({{{{0, 1}}}, {{0, 1}}});
  if (result.materials.size() > 1) {
    std::map<Owner, std::uint8_t> position{
        {void_owner, static_cast<std::uint8_t>(result.materials.size() - 1)}};
    for (std::size_t n = 0; n < owners.size(); ++n)
      position[owners[n]] = static_cast<std::uint8_t>(n);
    result.of_cell.resize(materials_->size());
    std::ranges::transform(*materials_, result.of_cell.begin(),
                           [&](Owner owner) { return position.at(owner); });
    result.contacts = contacts_of(config_, materials_).pairs;
    for (auto& contact : result.contacts) {
      for (auto& material : contact.materials) material = position.at(material);
    }
  }
  result.source = fixed_source();
  return result;
}

solver::Material RegionSampler::constant_material() {
  solver::Material material;
  material.conductivity.clear();
  for (const auto& of_axis : conductivities(config_))
    material.conductivity.push_back(sampled(of_axis, materials_, Range::positive));
  const auto mass = density();
  material.volumetric_heat_capacity =
      product(mass, sampled(heat_capacities(config_), materials_, Range::positive));
  material.source = fixed_source();
  material.contacts = contacts_of(config_, materials_);
  return material;
}

solver::Coefficient RegionSampler::density() {
  return sampled(densities(config_), materials_, Range::positive);
}

solver::Coefficient RegionSampler::source() {
  return sampled(sources(config_), sources_, Range::any);
}

/// Collective. Those whose owners have cells of any rank.
OwnedQuantities RegionSampler::used(const OwnedQuantities& all, const Owners& owners) const {
  if (all.size() == 1) return all;
  std::vector<std::int64_t> has_cells(all.size());
  for (std::size_t n = 0; n < all.size(); ++n)
    has_cells[n] = std::ranges::find(owners, all[n].owner) != owners.end() ? 1 : 0;
  sampler_.world.max(std::span(has_cells));
  OwnedQuantities result;
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (has_cells[n] != 0) result.push_back(all[n]);
  }
  return result;
}

solver::Coefficient RegionSampler::sampled(const OwnedQuantities& all,
                                           const std::shared_ptr<const Owners>& owners,
                                           Range range) {
  const auto parts = used(all, *owners);
  if (parts.size() == 1 && source_follows_temperature(parts.front().quantity))
    return everywhere(parts.front());
  if (parts.size() == 1) {
    const auto& [owner, key, quantity] = parts.front();
    auto values = sampler_.cells(key, quantity, box_, range);
    add_checksum(sampler_, key, quantity, values, box_, owned_, inputs_);
    return values;
  }
  if (!vary(parts)) return std::get<double>(parts.front().quantity);
  std::vector<double> values(static_cast<std::size_t>(box_.size()));
  for (const auto& part : parts) add_values(part, owners, range, values);
  return values;
}

/// Collective. Of the box's cells, or one for all [K].
const std::vector<double>& RegionSampler::initial_temperatures() {
  if (!initial_temperatures_.empty()) return initial_temperatures_;
  auto values =
      sampler_.cells("initial.temperature", config_.initial_temperature, box_, Range::any);
  if (const auto* number = std::get_if<double>(&values)) {
    initial_temperatures_ = {*number};
  } else {
    initial_temperatures_ = std::get<std::vector<double>>(std::move(values));
  }
  return initial_temperatures_;
}

/// Collective. A source that depends on the temperature in all cells.
solver::Coefficient RegionSampler::everywhere(const OwnedQuantity& part) {
  std::vector<double> values(static_cast<std::size_t>(box_.size()));
  (void)initial_temperatures();
  comm::agree(sampler_.world, [&] {
    auto sampled = sampled_part(part, nullptr, Range::any);
    std::ranges::copy(sampled.at(0), values.begin());
  });
  return values;
}

/// Collective.
void RegionSampler::add_values(const OwnedQuantity& part,
                               const std::shared_ptr<const Owners>& owners, Range range,
                               std::vector<double>& values) {
  if (source_follows_temperature(part.quantity)) (void)initial_temperatures();
  if (!std::holds_alternative<FileDataset>(part.quantity)) {
    comm::agree(sampler_.world, [&] {
      auto sampled = sampled_part(part, owners, range);
      copy_values(sampled.at(0), *owners, part.owner, values);
    });
    return;
  }
  const auto read = sampler_.cells(part.key, part.quantity, box_, Range::any);
  add_checksum(sampler_, part.key, part.quantity, read, box_, owned_, inputs_);
  const auto& all = std::get<std::vector<double>>(read);
  const auto& data = std::get<FileDataset>(part.quantity);
  comm::agree(sampler_.world, [&] {
    const std::function<std::string()> where = [&] {
      return "in " + data.file.string() + ":" + data.dataset;
    };
    for (std::size_t n = 0; n < all.size(); ++n) {
      if ((*owners)[n] == part.owner)
        checked(part.key, all[n], range, comm::ExitCode::input_output, where);
    }
  });
  copy_values(all, *owners, part.owner, values);
}

/// The initial temperatures must be known where the part depends on them.
SampledQuantity RegionSampler::sampled_part(const OwnedQuantity& part,
                                            const std::shared_ptr<const Owners>& owners,
                                            Range range) const {
  auto points = sampler_.points_of_cells(box_);
  points.owners = owners;
  points.owner = part.owner;
  if (source_follows_temperature(part.quantity)) {
    auto temperatures = initial_temperatures_;
    const auto [lower, upper] = temperatures_of_part(config_, part);
    for (auto& value : temperatures) value = std::clamp(value, lower, upper);
    points.temperatures = std::make_shared<const std::vector<double>>(std::move(temperatures));
  }
  return {part.key, part.quantity, std::move(points), range};
}

/// Of this rank's cells.
double RegionSampler::fall_over_capacity(const ChangingSource& source,
                                         const solver::AnyMaterial& material) const {
  std::vector<double> falls;
  for (const auto& part : source.parts)
    falls.push_back(steepest_fall(config_, region_of(config_, part)));
  if (std::ranges::max(falls) == 0) return 0;
  double largest = 0;
  std::size_t n = 0;
  for_cells(box_, [&](int i, int j, int k) {
    const auto cell = n++;
    if (!owned_.contains(i, j, k)) return;
    for (std::size_t part = 0; part < falls.size(); ++part) {
      const bool has =
          !source.points.owners || (*source.points.owners)[cell] == source.parts[part].owner;
      if (has) largest = std::max(largest, falls[part] / smallest_capacity(material, cell));
    }
  });
  return largest;
}

std::optional<ChangingSource> RegionSampler::changing_source(
    const solver::AnyMaterial& material) const {
  auto parts = used(sources(config_), *sources_);
  const bool everywhere = parts.size() == 1;
  std::erase_if(parts, [](const auto& part) { return !changes(part.quantity); });
  if (parts.empty()) return std::nullopt;
  ChangingSource source{sampler_.points_of_cells(box_), std::move(parts), source_factors(config_)};
  if (!everywhere) source.points.owners = sources_;
  for (const auto& part : source.parts)
    source.temperatures.push_back(temperatures_of_part(config_, part));
  source.fall = fall_over_capacity(source, material);
  return source;
}

}  // namespace halotherm::app
