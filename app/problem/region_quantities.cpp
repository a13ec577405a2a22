// SPDX-License-Identifier: MIT
#include "app/problem/region_quantities.hpp"

#include "app/config/material_tables.hpp"
#include "app/domain/geometry.hpp"
#include "app/problem/contacts.hpp"
#include "solver/medium/cell_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace halotherm::app {

namespace {

/// One quantity of each material that cells may have; `quantity_of` a material.
template <class QuantityOf>
OwnedQuantities of_materials(const Config& config, const char* name,
                             const QuantityOf& quantity_of) {
  OwnedQuantities all;
  for (const auto owner : owners_of_materials(config)) {
    const auto& material = config.materials[owner];
    all.push_back(
        {owner, fmt::format("materials.{}.{}", material.name, name), quantity_of(material)});
  }
  if (config.has_void()) all.push_back({void_owner, void_material, 1.0});
  return all;
}

/// Whether each of them is a number.
bool are_numbers(const OwnedQuantities& quantities) {
  return std::ranges::all_of(quantities, [](const OwnedQuantity& owned) {
    return std::holds_alternative<double>(owned.quantity);
  });
}

/// Void cells may have coefficients that follow their place.
bool has_few_kinds(const Config& config) {
  const auto heats = sources(config);
  const auto materials = densities(config);
  return !config.has_void() && materials.size() * heats.size() <= solver::most_kinds &&
         are_numbers(heats) && are_numbers(materials) && are_numbers(heat_capacities(config)) &&
         std::ranges::all_of(conductivities(config), are_numbers);
}

/// Void cells have coefficients of their own, and the flux through their faces is a source.
void add_those_of_void(const Config& config, VaryingCoefficients& varying) {
  const auto faces = config.void_faces.value_or(SurfaceConfig{});
  const bool heat = void_faces_heat_cells(config);
  const bool of_axes = faces.convection && !has_cubic_cells(config) && !heat;
  varying.conductivities = std::max(varying.conductivities, of_axes ? config.dimensions() : 1);
  varying.capacity = true;
  varying.source = varying.source || heat || flux_is_source(faces);
}

/// A property over the temperature, times a factor.
solver::PropertyTable property_table(const Quantity& property, const MaterialConfig& material,
                                     double factor) {
  solver::PropertyTable table;
  for (const auto& [temperature, value] : table_of(property, material.temperatures).points)
    table.push_back({temperature, factor * value});
  return table;
}

solver::MaterialTables tables_of(const Config& config, const MaterialConfig& material) {
  const double density = table_of(material.density, {}).points.front()[1];
  const auto factor = bounds_of_conductivity_factor(config, material);
  solver::MaterialTables tables{
      {}, property_table(material.heat_capacity, material, density), {factor.lower, factor.upper}};
  for (const auto& of_axis : material.conductivity)
    tables.conductivity.push_back(property_table(of_axis, material, 1));
  if (!material.latent_heat) return tables;
  const auto [solidus, liquidus] = *material.melting;
  tables.volumetric_heat_capacity = solver::with_latent_heat(
      tables.volumetric_heat_capacity, density * *material.latent_heat, solidus, liquidus);
  return tables;
}

}  // namespace

bool has_cubic_cells(const Config& config) {
  const auto grid = make_grid(config);
  if (!grid.even()) return false;
  for (int axis = 1; axis < grid.dimensions; ++axis) {
    constexpr double rounding = 1e-13;
    if (std::abs(grid.spacing(axis) - grid.spacing(0)) > rounding * grid.spacing(0)) return false;
  }
  return true;
}

bool flux_is_source(const SurfaceConfig& void_faces) {
  const auto is_number = [](const Quantity& quantity, const auto& holds) {
    const auto* number = std::get_if<double>(&quantity);
    return number != nullptr && holds(*number);
  };
  const bool none = is_number(void_faces.flux, [](double flux) { return flux == 0; });
  if (none || void_faces.temperature) return false;
  return !void_faces.convection || !is_number(void_faces.convection->coefficient,
                                              [](double coefficient) { return coefficient > 0; });
}

std::string region_key(std::size_t index) {
  return fmt::format("regions[{}]", index);
}

bool has_shapes(const Config& config) {
  return std::ranges::any_of(config.regions, &RegionConfig::has_shape);
}

/// Without shapes, the last material that is given.
std::vector<Owner> owners_of_materials(const Config& config) {
  std::set<std::string> names;
  if (config.materials.size() == 1) names.insert(config.materials.front().name);
  for (const auto& region : config.regions) {
    if (!has_shapes(config) && !region.material.empty()) names.clear();
    if (!region.material.empty()) names.insert(region.material);
    for (const auto& [label, name] : region.materials) names.insert(name);
  }
  std::vector<Owner> owners;
  for (std::size_t n = 0; n < config.materials.size(); ++n) {
    if (names.contains(config.materials[n].name)) owners.push_back(static_cast<Owner>(n));
  }
  return owners;
}

std::vector<solver::MaterialTables> tables_of_materials(const Config& config) {
  std::vector<solver::MaterialTables> tables;
  for (const auto owner : owners_of_materials(config))
    tables.push_back(tables_of(config, config.materials[owner]));
  return tables;
}

ConductivityFactors conductivity_factors(const Config& config) {
  const SamplePoints everywhere{{{0, 0, 0}, {1, 1, 1}}, {{{0}, {0}, {0}}}};
  ConductivityFactors factors;
  for (const auto owner : owners_of_materials(config)) {
    const auto& material = config.materials[owner];
    auto& factor = factors.emplace_back();
    if (material.conductivity_factor)
      factor.emplace(fmt::format("materials.{}.conductivity_factor", material.name),
                     *material.conductivity_factor, everywhere, Range::positive);
  }
  return factors;
}

OwnedQuantities densities(const Config& config) {
  return of_materials(config, "density", [](const auto& material) { return material.density; });
}

OwnedQuantities heat_capacities(const Config& config) {
  return of_materials(config, "heat_capacity",
                      [](const auto& material) { return material.heat_capacity; });
}

std::vector<OwnedQuantities> conductivities(const Config& config) {
  std::size_t axes = 1;
  for (const auto owner : owners_of_materials(config))
    axes = std::max(axes, config.materials[owner].conductivity.size());
  std::vector<OwnedQuantities> all;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    all.push_back(of_materials(config, "conductivity", [&](const auto& material) {
      return material.conductivity[material.conductivity.size() == 1 ? 0 : axis];
    }));
  }
  return all;
}

OwnedQuantities sources(const Config& config) {
  OwnedQuantities all{{no_owner, "source", 0.0}};
  const bool shapes = has_shapes(config);
  for (std::size_t n = 0; n < config.regions.size(); ++n) {
    const auto& region = config.regions[n];
    if (!shapes && region.replaces_source()) all = {{no_owner, "source", 0.0}};
    if (!region.source && !region.power) continue;
    if (!shapes) all.clear();
    auto heat = region.source ? *region.source : *region.power;
    if (region.power && !varies(heat)) heat = 0.0;
    all.push_back({static_cast<Owner>(n), region_key(n) + (region.power ? ".power" : ".source"),
                   std::move(heat)});
  }
  return all;
}

bool vary(const OwnedQuantities& quantities) {
  const auto* first = std::get_if<double>(&quantities.front().quantity);
  return std::ranges::any_of(quantities, [&](const OwnedQuantity& owned) {
    const auto* number = std::get_if<double>(&owned.quantity);
    return first == nullptr || number == nullptr || *number != *first;
  });
}

VaryingCoefficients varying_coefficients(const Config& config) {
  const auto of_axes = conductivities(config);
  const bool powers = has_shapes(config) && std::ranges::any_of(config.regions, [](const auto& r) {
                        return r.power.has_value();
                      });
  const bool source = powers || (vary(sources(config)) && !source_factors(config));
  if (has_tables(config)) {
    const bool flux =
        config.has_void() && (void_faces_heat_cells(config) ||
                              flux_is_source(config.void_faces.value_or(SurfaceConfig{})));
    return {.source = source || flux,
            .material = config.has_void() || owners_of_materials(config).size() > 1};
  }
  VaryingCoefficients varying{
      .conductivities = std::ranges::any_of(of_axes, vary) ? static_cast<int>(of_axes.size()) : 0,
      .capacity = vary(densities(config)) || vary(heat_capacities(config)),
      .source = source,
      .few_kinds = has_few_kinds(config)};
  if (config.has_void()) add_those_of_void(config, varying);
  if (has_resistances(config)) varying.faces = config.dimensions();
  return varying;
}

solver::VariableBounds variable_bounds(const Config& config) {
  const auto grid = make_grid(config);
  solver::VariableBounds bounds{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    bounds[axis] = {0, 0};
    if (static_cast<int>(axis) < grid.dimensions)
      bounds[axis] = {grid.lower[axis], grid.upper[axis]};
  }
  bounds[3].lower = 0;  // t
  return bounds;
}

std::optional<solver::FormulaFactors> source_factors(const Config& config) {
  const auto all = sources(config);
  const auto* text = std::get_if<Formula>(&all.front().quantity);
  if (all.size() > 1 || text == nullptr) return std::nullopt;
  const solver::Formula formula(text->text, solver::formula_variables);
  if (formula.uses('T') || !formula.uses('t') || !formula.uses_position()) return std::nullopt;
  return solver::separated(formula.code(), variable_bounds(config));
}

bool source_changes(const Config& config) {
  return std::ranges::any_of(sources(config),
                             [](const OwnedQuantity& owned) { return changes(owned.quantity); });
}

std::vector<std::pair<std::string, Quantity>> quantities_on_cells(const Config& config) {
  std::vector<std::pair<std::string, Quantity>> all;
  const auto add = [&](const OwnedQuantities& quantities) {
    for (const auto& [owner, key, quantity] : quantities) {
      if (owner != no_owner && owner != void_owner) all.emplace_back(key, quantity);
    }
  };
  for (const auto& of_axis : conductivities(config)) add(of_axis);
  add(densities(config));
  add(heat_capacities(config));
  add(sources(config));
  for (std::size_t n = 0; n < config.regions.size(); ++n) {
    if (config.regions[n].labels)
      all.emplace_back(region_key(n) + ".labels", *config.regions[n].labels);
  }
  all.emplace_back("initial.temperature", config.initial_temperature);
  return all;
}

}  // namespace halotherm::app
