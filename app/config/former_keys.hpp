// SPDX-License-Identifier: MIT
// Keys of earlier versions, with what replaces them.
#pragma once

#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Reports keys of earlier versions to `yaml`, each with the same in today's keys.
void refuse_former_keys(io::YamlReader& yaml);

}  // namespace halotherm::app
