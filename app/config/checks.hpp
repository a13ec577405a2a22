// SPDX-License-Identifier: MIT
// Checks of configuration values beyond what a key's rule can state.
#pragma once

#include "app/config/description.hpp"
#include "io/yaml/yaml_reader.hpp"

namespace halotherm::app {

/// Why a text, a path or a name is not allowed; none if it is.
std::optional<comm::ErrorText> wrong_text(const std::string& text, Kind kind);
/// Why the name or the value of an MPI hint is not allowed; none if it is.
std::optional<comm::ErrorText> wrong_hint_name(const std::string& name);
std::optional<comm::ErrorText> wrong_hint_value(const std::string& text);

/// Reports combinations of values that contradict each other to `yaml`.
void check_combinations(const Config& config, io::YamlReader& yaml);

}  // namespace halotherm::app
