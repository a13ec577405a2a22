// SPDX-License-Identifier: MIT
// The data sets that a configuration reads, and whether a restart reads what the run before it
// read.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "app/results/restart_state.hpp"

namespace halotherm::app {

/// Local, with the same outcome on every rank. Compares the data sets that a restart has read,
/// `inputs`, with those that the run before read: one that differs is refused like other physics
/// (CollectiveError, usage), unless changes are allowed; then `start` does not repeat what the
/// output directory has of later steps. What cannot be compared is said. The initial field, which
/// only a fresh run reads, is taken over into `inputs` from the start's checkpoint.
void compare_inputs(const Config& config, RestartState& start,
                    std::vector<io::InputChecksum>& inputs, const io::Log& log);

}  // namespace halotherm::app
