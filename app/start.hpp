// SPDX-License-Identifier: MIT
// Where a run begins: at its initial field, or at a checkpoint.
#pragma once

#include "app/block.hpp"
#include "app/config.hpp"
#include "app/options.hpp"
#include "io/checkpoint.hpp"

#include <optional>
#include <vector>

namespace halotherm::app {

struct Start {
  std::optional<std::filesystem::path> checkpoint;  ///< none: a fresh run
  io::CheckpointInfo info;

  std::int64_t step() const { return checkpoint ? info.step : 0; }
  double time() const { return checkpoint ? info.time : 0; }  ///< [s]
};

/// Collective. Finds and checks what `--restart` names. A checkpoint of another grid or precision is refused, and so is one whose
/// material, source, boundary or time step differ, unless `--allow-changes` is given: the differing keys are named. A fresh run is
/// refused where results of an earlier one stand, unless `--overwrite` is given; nothing is removed yet. Throws CollectiveError
/// (usage or input_output).
Start choose_start(const comm::Communicator& world, const Config& config, const Options& options);

/// Collective. This rank's block at the start [K], x fastest. Throws CollectiveError.
template <class Real>
std::vector<Real> first_temperature(const comm::Communicator& world, const Config& config, const Block<Real>& block,
                                    const Start& start);

/// Removes what an earlier run left in the output directory: a fresh run does so only when it is sure to begin. Local; throws
/// std::filesystem::filesystem_error.
void remove_results(const Config& config);

/// Where a run's checkpoints and fields go.
std::filesystem::path checkpoint_folder(const Config& config);
std::filesystem::path field_folder(const Config& config);

}  // namespace halotherm::app
