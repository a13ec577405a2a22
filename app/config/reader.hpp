// SPDX-License-Identifier: MIT
// Reads YAML into the configuration's structures by the description of the keys.
#pragma once

#include "app/config/config.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reads all keys. A value that its key's rule does not allow is reported to `yaml`, and the
/// default stays.
Config read_config(io::YamlReader& yaml);

}  // namespace halotherm::app
