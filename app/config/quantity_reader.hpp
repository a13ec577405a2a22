// SPDX-License-Identifier: MIT
// Formulas, tables and intervals of a configuration as its text gives them.
#pragma once

#include "app/config/keys.hpp"
#include "io/yaml/yaml_reader.hpp"

#include <optional>

namespace halotherm::app {

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

}  // namespace halotherm::app
