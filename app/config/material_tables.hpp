// SPDX-License-Identifier: MIT
// What depends on the temperature: properties of materials, as tables, and sources.
#pragma once

#include "app/config/config.hpp"
#include "io/yaml/yaml_reader.hpp"
#include "solver/formula/bounds.hpp"

namespace halotherm::app {

/// Whether a property of some material depends on the temperature, or K on time. All materials are
/// then tables.
bool has_tables(const Config& config);
/// Between which values the factor of a material's K lies at every time of a run; 1 without one.
solver::Bounds bounds_of_conductivity_factor(const Config& config, const MaterialConfig& material);

/// A property without data set and without a formula in x, y or z, over the temperature [K]. A
/// formula in T becomes a table over `temperatures`, halved until the lines between its points are
/// within 1e-6 of the formula, at most 4096 parts. Throws comm::Error (usage), which names the
/// temperature, if a value is not positive.
Table table_of(const Quantity& property, const std::optional<std::array<double, 2>>& temperatures,
               io::TemperatureUnit unit = io::TemperatureUnit::kelvin);

/// Whether T occurs in a source.
bool source_follows_temperature(const Quantity& source);
bool sources_follow_temperature(const Config& config);
/// The range of T in a region's source [K], or in `unit`: its `temperatures`, or all.
solver::Bounds temperatures_of(const RegionConfig& region,
                               io::TemperatureUnit unit = io::TemperatureUnit::kelvin);
/// By how much a region's source may fall at most with T, anywhere and at any time [W/(m³ K)];
/// infinite if no bound is known.
double steepest_fall(const Config& config, const RegionConfig& region);

/// Whether the heat that flows through void faces is a source of the cells beside them: their
/// condition changes with time, radiates, or has a coefficient that varies beside tables.
bool void_faces_heat_cells(const Config& config);
/// Whether any heat source depends on the temperature: those of regions, or through void faces.
bool heating_follows_temperature(const Config& config);

/// Whether heat flows, heat contents or sources are not linear in the temperature.
bool is_nonlinear(const Config& config);

/// Reports to `yaml` what contradicts itself in materials that depend on the temperature: formulas
/// without a range or with values that are not positive, latent heat without a melting range,
/// properties that depend on the position as well, factors of K that may be 0 or have no bound.
void check_tables(const Config& config, io::YamlReader& yaml);

}  // namespace halotherm::app
