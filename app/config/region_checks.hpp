// SPDX-License-Identifier: MIT
// Checks of materials and regions beyond what a key's rule can state.
#pragma once

#include "app/config/config.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reports materials that are unknown or unused, and regions that contradict themselves, to `yaml`;
/// and cells of different widths beside void cells or tables.
void check_regions(const Config& config, io::YamlReader& yaml);

}  // namespace halotherm::app
