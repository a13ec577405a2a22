// SPDX-License-Identifier: MIT
// How many files a run writes, and how large they are, from its configuration.
#pragma once

#include "app/config/config.hpp"
#include "io/field/snapshot_layout.hpp"

#include <cstdint>
#include <optional>

namespace halotherm::app {

/// The configured format of snapshots; by default VTK's, unless cells differ in width.
io::SnapshotFormat snapshot_format(const Config& config);

/// Files of one kind.
struct FilesOfRun {
  std::optional<std::int64_t> count;  ///< none where it follows from real time, which is not known
  std::int64_t bytes_each = 0;        ///< values, and the MiB before them in files of a MiB or more
};

struct RunFiles {
  FilesOfRun checkpoints;
  FilesOfRun snapshots;

  /// Of all files that are counted, at most 9e18.
  std::int64_t bytes() const;
};

/// The files of a run from the start that takes so many steps of `dt` [s], and `seconds` if that is
/// known. Pure. Beside them are a report and the rows of diagnostics.
RunFiles files_of_run(const Config& config, std::int64_t steps, double dt,
                      std::optional<double> seconds);

}  // namespace halotherm::app
