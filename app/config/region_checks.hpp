// SPDX-License-Identifier: MIT
// Checks of materials and regions beyond what a key's rule can state.
#pragma once

#include "app/config/config.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reports materials that are unknown or unused, regions that contradict themselves, void faces of
/// no use or that change, and contacts of what are not two materials, to `yaml`.
void check_regions(const Config& config, io::YamlReader& yaml);

}  // namespace halotherm::app
