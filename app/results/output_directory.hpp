// SPDX-License-Identifier: MIT
// A run's output directory: which files there are a run's own, and what becomes of those of earlier
// runs. Nothing else is touched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::app {

/// Of the snapshots: temperature_<step>.hdf, listed by temperature.hdf.series.
constexpr const char* field_series_name = "temperature";

/// The directory of the configuration's `output.directory`. A run's own files in it are checkpoints
/// and snapshots by the names that Halotherm gives them, diagnostics.csv, report.json, and partial
/// files of those names. Everything here is local, for rank 0, and throws comm::Error
/// (input_output).
class OutputDirectory {
 public:
  explicit OutputDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path fields() const { return path_ / "fields"; }
  std::filesystem::path diagnostics() const { return path_ / "diagnostics.csv"; }
  std::filesystem::path report() const { return path_ / "report.json"; }

  /// Throws if a link here or on the way here leads nowhere, as to a file system that is not
  /// mounted: what seems to be missing may be there. Throws as well if something else stands in the
  /// place of a folder or a file. Changes nothing.
  void check() const;

  /// Whether an earlier run left anything but partial files.
  bool has_results() const;

  /// Whether the file is one of its checkpoints, or a link to one.
  bool holds(const std::filesystem::path& checkpoint) const;

  /// Whether a checkpoint's name is of a later step.
  bool has_checkpoint_after(std::int64_t step) const;

  /// Makes it and the folders that a run needs.
  void make(bool with_fields) const;

  /// Removes the run's own files, and then `fields` if nothing else is in it; the checkpoints'
  /// folder stays, as the next run needs it.
  void remove_results() const;

  /// Moves results out of the way, into a new folder set_aside_<n>, in which they lie as they did
  /// here: all of them, or those of later steps than `after`, with a copy of diagnostics.csv. A
  /// folder that is on another file system keeps its own in a set_aside_<n> of its own. What was
  /// moved and where to, for the user; nothing if there was nothing to move.
  std::string set_aside(std::optional<std::int64_t> after) const;

 private:
  std::filesystem::path path_;
};

}  // namespace halotherm::app
