// SPDX-License-Identifier: MIT
// How fast checkpoints are written and read, beside plain writes and reads of the same bytes.
#pragma once

#include "app/measure/timing.hpp"
#include "comm/partition/box.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

/// Collective. Every rank holds a grid of `cells`, stacked along z; all are written into one file
/// again and again, in turns: plainly, each rank's bytes by one call and flushed; and as a
/// checkpoint by each writer that MPI allows, of which the writing and flushing alone counts, and
/// the time until it has its name. Both are read as well, a checkpoint as at a restart, from the
/// disk as far as the system forgets what it remembers. Everything is removed. Throws
/// CollectiveError (input_output).
template <class Real>
std::vector<std::pair<std::string, Timing>> time_checkpoint(const comm::Communicator& world,
                                                            const std::filesystem::path& directory,
                                                            const comm::Int3& cells,
                                                            std::span<const Real> values,
                                                            int repeats);

}  // namespace halotherm::app
