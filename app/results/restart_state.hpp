// SPDX-License-Identifier: MIT
// Where a run begins: at its initial field, or at a checkpoint.
#pragma once

#include "app/config/config.hpp"
#include "app/problem/problem.hpp"
#include "io/field/checkpoint.hpp"
#include "io/files/folder_lock.hpp"
#include "io/text/log.hpp"

#include <optional>
#include <vector>

namespace halotherm::app {

/// What the command line says of the start.
struct RestartRequest {
  /// A checkpoint's file, "latest": the newest good one of the output directory, "auto": the same,
  /// if there is any. None: a fresh run.
  std::optional<std::string> from;
  bool allow_changes = false;  ///< keys of the physics may differ from the checkpoint's
  bool convert = false;        ///< from a checkpoint of another grid or precision
  bool overwrite = false;      ///< a fresh run may replace results in the output directory
};

struct RestartState {
  std::optional<std::filesystem::path> checkpoint;  ///< none: a fresh run
  io::CheckpointInfo info;
  bool converted = false;  ///< from another grid or precision, into an output directory of its own
  std::vector<std::filesystem::path>
      older;  ///< to go back to, the latest first, if the checkpoint turns out to be damaged

  /// The checkpoint is none of the output directory's, whose results, if any, are another run's.
  bool elsewhere = false;
  bool changes_allowed = false;  ///< other physics than the checkpoint's are taken
  bool overwrite = false;        ///< such results are removed; else they are set aside
  /// What the output directory has of steps after the start is the work of a run that was killed,
  /// and will be done again to the same bits. Else it is set aside: the start goes back behind a
  /// checkpoint, or the configuration has changed.
  bool repeats = true;

  /// Of the output directory, on rank 0: whoever is about to publish anything there looks whether
  /// it is still held. Null: nobody cares.
  const io::FolderLock* lock = nullptr;

  std::int64_t step() const { return checkpoint ? info.step : 0; }
  /// Whether the run's results stand in the output directory up to the start's step.
  bool goes_on() const { return checkpoint && !converted; }
  double time() const { return checkpoint ? info.time : 0; }  ///< [s]
};

/// Collective. Finds and checks what `--restart` names: a file; `latest`, the newest good
/// checkpoint of the output directory; or `auto`, the same if there are any, else a fresh start. A
/// checkpoint of another grid or precision is refused, and so is one whose material, source,
/// initial field, boundary or time step differ, unless `--convert` and `--allow-changes` are given:
/// the differing keys are named. A fresh run, or one from a checkpoint of elsewhere, is refused
/// where results stand, unless `--overwrite` is given; but where `auto` finds results and no
/// checkpoint they are to be set aside. Nothing is removed or moved yet, but for damaged
/// checkpoints. Throws CollectiveError (usage or input_output).
RestartState choose_restart_state(const comm::Communicator& world, const Config& config,
                                  const RestartRequest& request, const io::Log& log);

/// Collective. This rank's block of the start's checkpoint [K], x fastest, every chunk of it
/// verified; nothing for a fresh run. A damaged `latest` is set aside with a warning, and `start`
/// goes back to the one before. Throws CollectiveError.
template <class Real>
std::vector<Real> read_restart_field(const comm::Communicator& world, const Config& config,
                                     const RestartRequest& request, const comm::Box& owned,
                                     RestartState& start, const io::Log& log);

/// Local. Makes the run's folders, and room for its results: those of an earlier run that do not
/// lead to the start go, or are set aside. A run does so only when it is sure to begin. What was
/// moved, for the user. Throws comm::Error (input_output).
std::string make_room(const Config& config, const RestartState& start);

}  // namespace halotherm::app
