// SPDX-License-Identifier: MIT
// What this program is and where it runs.
#pragma once

#include "app/config/config.hpp"
#include "comm/machine/environment.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Collective. The text of `halotherm info`: version, build, libraries, and each rank's device.
std::string info(const comm::Communicator& world);

/// The head of a run's output: program, title, and rank → host → device.
std::string banner(const Config& config, const std::vector<comm::Place>& places);

}  // namespace halotherm::app
