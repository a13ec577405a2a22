// SPDX-License-Identifier: MIT
// Finds, checks and reads the state at which a run begins: the initial field or a checkpoint.
#pragma once

#include "app/config/config.hpp"
#include "app/problem/problem.hpp"
#include "io/field/checkpoint.hpp"
#include "io/files/folder_lock.hpp"
#include "io/text/log.hpp"

#include <optional>
#include <vector>

namespace halotherm::app {

/// The restart options of the command line.
struct RestartRequest {
  /// A checkpoint's file; "latest": the newest good checkpoint in the output directory; "auto":
  /// like latest, but a fresh run if there is none. Not set: a fresh run.
  std::optional<std::string> from;
  bool allow_changes = false;  ///< keys of the physics may differ from the checkpoint's
  bool convert = false;        ///< the checkpoint may have another grid or precision
  bool overwrite = false;      ///< a fresh run may replace results in the output directory
};

/// The checkpoint at which a run begins, and how the run treats existing results.
struct RestartState {
  std::optional<std::filesystem::path> checkpoint;  ///< none: a fresh run
  io::CheckpointInfo info;
  bool converted = false;  ///< from another grid or precision; needs its own output directory
  /// Older checkpoints, the newest first, as a fallback if this one is damaged.
  std::vector<std::filesystem::path> older;

  /// The checkpoint is not in the output directory; results in the latter are another run's.
  bool elsewhere = false;
  bool changes_allowed = false;  ///< the physics may differ from the checkpoint's
  bool overwrite = false;        ///< another run's results are removed, else set aside
  /// The output directory's results of later steps come from a killed run and are reproduced bit
  /// for bit. False if the configuration has changed or a later checkpoint exists: they are set
  /// aside.
  bool repeats = true;

  /// The output directory's lock on rank 0, checked before every file is published; may be null.
  const io::FolderLock* lock = nullptr;

  std::int64_t step() const { return checkpoint ? info.step : 0; }
  /// Whether this run continues the results of the checkpoint's run.
  bool goes_on() const { return checkpoint && !converted; }
  double time() const { return checkpoint ? info.time : 0; }  ///< [s]
};

/// Collective. Finds and checks the checkpoint that `request` names. Throws CollectiveError: usage
/// if its grid or precision differs (unless `convert`) or its material, source, initial field,
/// boundary or time step differs (unless `allow_changes`), with the names of the keys; usage if a
/// fresh run, or one from a checkpoint elsewhere, would replace results (unless `overwrite`; `auto`
/// without a checkpoint sets them aside later); input_output if no checkpoint can be read. Moves
/// only damaged checkpoints.
RestartState choose_restart_state(const comm::Communicator& world, const Config& config,
                                  const RestartRequest& request, const io::Log& log);

/// Collective. Of the checkpoint that `request` names; nothing if it names none, or `auto` finds
/// none. Throws and moves files as `choose_restart_state` does.
std::optional<io::CheckpointInfo> info_of_restart(const comm::Communicator& world,
                                                  const Config& config,
                                                  const RestartRequest& request,
                                                  const io::Log& log);

/// Collective. Reads and verifies this rank's block of the checkpoint, x fastest and one field of
/// the state after another; returns an
/// empty vector for a fresh run. If the checkpoint is damaged and was not named by its file, it is
/// set aside with a warning and `restart` becomes the next older one. Throws CollectiveError.
template <class Real>
std::vector<Real> read_restart_field(const comm::Communicator& world, const Config& config,
                                     const RestartRequest& request, const comm::Box& owned,
                                     RestartState& restart, const io::Log& log);

/// Local, on rank 0, just before the first output. Creates the run's folders, and removes or sets
/// aside earlier results that the run does not continue. Returns a message that names what was
/// moved, or "". Throws comm::Error (input_output).
std::string make_room(const Config& config, const RestartState& restart);

}  // namespace halotherm::app
