// SPDX-License-Identifier: MIT
// Formulas, tables, intervals and free maps of a configuration as its text gives them, and their
// temperatures in kelvin.
#pragma once

#include "app/config/keys.hpp"
#include "io/yaml/yaml_reader.hpp"

#include <optional>

namespace halotherm::app {

/// The rule of a key where temperatures are in this unit: none is below absolute zero, except that
/// kelvin may stand for the temperatures of problems without dimensions.
Rule in_unit(Rule rule, io::TemperatureUnit unit);

/// Converts all temperatures, and formulas and tables in the temperature.
void convert_to_kelvin(Config& config);

/// A formula in the variables of the rule. Reports mistakes to `yaml`; then there is no result.
std::optional<Quantity> read_formula(io::YamlReader& yaml, const io::YamlNode& node,
                                     const Rule& rule);

/// A map {table: {300: 148, 400: 98.9}} with values in the bounds of the rule. Reports mistakes to
/// `yaml`; then there is no result.
std::optional<Quantity> read_table(io::YamlReader& yaml, const io::YamlNode& node,
                                   const Rule& rule);

/// Two numbers in the bounds of the rule, the lower one first. Reports mistakes to `yaml`; then
/// there is no result.
std::optional<std::array<double, 2>> read_interval(io::YamlReader& yaml, const io::YamlNode& node,
                                                   const Rule& rule);

/// Two names. Reports mistakes to `yaml`, "must be `needed`" if it is no list of two.
void read_names(io::YamlReader& yaml, const io::YamlNode& node, const std::string& needed,
                std::array<std::string, 2>& names);

/// Add the entries of a map whose keys a user chooses. Report mistakes to `yaml`, "must be
/// `needed`" if it is no such map.
void read_hints(io::YamlReader& yaml, const io::YamlNode& node, const std::string& needed,
                comm::FileHints& hints);
void read_labels(io::YamlReader& yaml, const io::YamlNode& node, const std::string& needed,
                 std::map<long, std::string>& labels);

}  // namespace halotherm::app
