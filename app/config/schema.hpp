// SPDX-License-Identifier: MIT
// The JSON Schema of the configuration.
#pragma once

#include <string>

namespace halotherm::app {

/// `halotherm config --schema`: a JSON Schema (draft 2020-12) for editors. Local.
std::string json_schema();

}  // namespace halotherm::app
