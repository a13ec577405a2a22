// SPDX-License-Identifier: MIT
// Detects ranks that share a GPU.
#pragma once

#include "comm/machine/environment.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// A warning that names each device of several ranks, and what to do; empty if no device has more
/// than one. Pure.
std::string shared_devices_text(const std::vector<comm::Place>& places);

}  // namespace halotherm::app
