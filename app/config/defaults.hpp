// SPDX-License-Identifier: MIT
// A commented YAML file of all keys.
#pragma once

#include <string>

namespace halotherm::app {

/// `halotherm config --defaults`: every key with its default, unit and range. Local.
std::string default_yaml();

}  // namespace halotherm::app
