// SPDX-License-Identifier: MIT
// Where a restart has other bits than a run that was never stopped.
#pragma once

#include "app/results/restart_state.hpp"

namespace halotherm::app {

/// What the user should know of the steps around the start; empty if they are those of an
/// uninterrupted run. Local.
std::string restart_note(const Config& config, const RestartState& start);

}  // namespace halotherm::app
