// SPDX-License-Identifier: MIT
// The program's version, libraries and devices as text.
#pragma once

#include "app/config/config.hpp"
#include "comm/machine/environment.hpp"

#include <string>

namespace halotherm::app {

/// Collective. The text of `halotherm info`: version, build, libraries, and each rank's device.
std::string info(const comm::Communicator& world);

/// Each rank's host and device: a line for each device where they are few, else for the first hosts
/// of each kind, with the number of those alike. Pure.
std::string place_lines(const comm::Places& places);

/// The head of a run's output: program, title, libraries and the ranks' places. Local.
std::string banner(const Config& config, const comm::Places& places);

}  // namespace halotherm::app
