// SPDX-License-Identifier: MIT
// Keys of earlier versions, with what replaces them.
#pragma once

#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reports keys of earlier versions to `yaml`, each with the same in today's keys.
void refuse_former_keys(io::YamlReader& yaml);

/// Whether a key of an earlier version stands in `map` where `key` is missing now.
bool former_key_stands_for(const io::YamlReader& yaml, const io::YamlNode& map,
                           const std::string& key);

}  // namespace halotherm::app
