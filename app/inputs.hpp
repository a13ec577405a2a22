// SPDX-License-Identifier: MIT
// The data sets that a configuration reads, and whether a restart reads what the run before it read.
#pragma once

#include "app/sample.hpp"
#include "app/start.hpp"

namespace halotherm::app {

/// Collective. Adds the checksum of what `key` reads to `inputs`, if it reads a data set. `sampled`: its values in `box`, which
/// holds this rank's cells `owned`; all ranks' cells together are the grid.
void add_checksum(const Sampler& sampler, const std::string& key, const Quantity& quantity, const solver::Coefficient& sampled,
                  const comm::Box& box, const comm::Box& owned, std::vector<io::InputChecksum>& inputs);

/// Local, with the same outcome on every rank. Compares the data sets that a restart has read, `inputs`, with those that the run
/// before read: one that differs is refused like other physics (CollectiveError, usage), unless changes are allowed; then `start`
/// does not repeat what the output directory has of later steps. What cannot be compared is said. The initial field, which only a
/// fresh run reads, is taken over into `inputs` from the start's checkpoint.
void compare_inputs(const Config& config, Start& start, std::vector<io::InputChecksum>& inputs, const io::Log& log);

}  // namespace halotherm::app
