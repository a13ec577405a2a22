// SPDX-License-Identifier: MIT
// Detects restarts whose results differ in bits from those of an uninterrupted run.
#pragma once

#include "app/results/restart_state.hpp"

namespace halotherm::app {

/// A note for the user: why the steps after the restart differ from those of an uninterrupted run;
/// empty if they do not. Local.
std::string restart_note(const Config& config, const RestartState& restart);

}  // namespace halotherm::app
