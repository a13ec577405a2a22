// SPDX-License-Identifier: MIT
// The program's version, libraries and devices as text.
#pragma once

#include "app/config/config.hpp"
#include "comm/machine/environment.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Collective. The text of `halotherm info`: version, build, libraries, and each rank's device.
std::string info(const comm::Communicator& world);

/// The head of a run's output: program, title, libraries and each rank's host and device. Local.
std::string banner(const Config& config, const std::vector<comm::Place>& places);

}  // namespace halotherm::app
