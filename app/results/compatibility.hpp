// SPDX-License-Identifier: MIT
// Checks that a checkpoint fits the configuration and the input files of a restart.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "app/results/restart_state.hpp"

namespace halotherm::app {

/// Permitted differences between a checkpoint and the configuration.
struct RestartChanges {
  bool grid = false;     ///< the field must be converted
  bool results = false;  ///< keys that affect the written files
};

/// Local. Throws comm::Error (usage) unless the checkpoint holds exactly these fields, in this
/// order.
void require_fields(const std::filesystem::path& file, const io::CheckpointInfo& info,
                    const std::vector<comm::Quantity>& quantities);

/// Local. Throws comm::Error (usage) if the checkpoint holds other fields than a run keeps, or that
/// names the keys whose differences `request` does not
/// allow.
RestartChanges check_fit(const std::filesystem::path& file, const io::CheckpointInfo& info,
                         const Config& config, const RestartRequest& request);

/// Local, with the same result on every rank. Compares the checksums of the data sets that this run
/// has read, `inputs`, with those in the checkpoint. Throws CollectiveError (usage) if one differs
/// and changes are not allowed; if they are, `restart.repeats` becomes false. Logs which data sets
/// differ or why they cannot be compared. Adds the checkpoint's entry of the initial field, which
/// only a fresh run reads, to `inputs`.
void compare_inputs(const Config& config, RestartState& restart,
                    std::vector<io::InputChecksum>& inputs, const io::Log& log);

}  // namespace halotherm::app
