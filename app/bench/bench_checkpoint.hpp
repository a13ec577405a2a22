// SPDX-License-Identifier: MIT
// Times of writing and reading checkpoints, beside plain writes and reads of the same bytes.
#pragma once

#include "app/measure/timing.hpp"
#include "comm/partition/box.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

using NamedTimings = std::vector<std::pair<std::string, Timing>>;

/// Collective. The ranks' grids of `cells` are stacked along z and written into one file, in turns:
/// plainly, each rank's bytes by one call and flushed; and as a checkpoint, by each writer that MPI
/// permits, timed until flushed and until verified and named. Both are read back, the checkpoint as
/// in a restart, after dropping the system's cached pages where possible. All files are removed.
/// Throws CollectiveError (input_output).
template <class Real>
NamedTimings time_checkpoint(const comm::Communicator& world,
                             const std::filesystem::path& directory, const comm::Int3& cells,
                             std::span<const Real> values, int repeats);

}  // namespace halotherm::app
