// SPDX-License-Identifier: MIT
// Axes that a configuration describes one by one.
#pragma once

#include "app/config/config.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Local. The layers or faces of an axis; notes a mistake, such as "must be `needed`", if they are
/// wrong.
std::optional<std::vector<GridLayer>> read_layers(io::YamlReader& yaml, const io::YamlNode& node,
                                                  const std::string& needed);
std::optional<std::vector<double>> read_faces(io::YamlReader& yaml, const io::YamlNode& node,
                                              const std::string& needed);

/// Local. Sets cells, corners and faces of a grid whose axes are given one by one, which it forgets
/// if all are even: the grid is then the one of the lists. An axis is even if its widths are equal
/// to rounding. Notes wrong axes; the grid then has no cells.
void resolve_axes(GridConfig& grid, io::YamlReader& yaml);

/// Whether a cell of this width at this position is too thin for floating-point numbers.
bool unresolved(double position, double width);

}  // namespace halotherm::app
