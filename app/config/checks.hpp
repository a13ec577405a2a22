// SPDX-License-Identifier: MIT
// Checks of configuration values beyond what a key's rule can state.
#pragma once

#include "app/config/description.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reports combinations of values that contradict each other to `yaml`.
void check_combinations(const Config& config, io::YamlReader& yaml);

}  // namespace halotherm::app
