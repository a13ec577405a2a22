// SPDX-License-Identifier: MIT
// A run's output directory: recognizes the files of runs, and removes or sets aside those of
// earlier runs. Other files are never touched.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::app {

/// The name of the snapshots: temperature_<step>.hdf or .nc, listed in
/// temperature.hdf.series or temperature.nc.series.
constexpr const char* field_series_name = "temperature";

/// The directory `output.directory`. A run's own files in it are checkpoints and snapshots with the
/// names that Halotherm gives them, diagnostics.csv, report.json, and partial files of these names.
/// Everything is local, is called on rank 0, and throws comm::Error (input_output).
class OutputDirectory {
 public:
  explicit OutputDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path fields() const { return path_ / "fields"; }
  std::filesystem::path diagnostics() const { return path_ / "diagnostics.csv"; }
  std::filesystem::path report() const { return path_ / "report.json"; }

  /// Throws if the directory, a part of its path or one of its files is a dangling link (for
  /// example to a file system that is not mounted), or if a folder or a file of a run has another
  /// type. Changes nothing.
  void check() const;

  /// Whether there are files of an earlier run other than partial files.
  bool has_results() const;

  /// Whether the file is a checkpoint in this directory, or a link to one.
  bool holds(const std::filesystem::path& checkpoint) const;

  /// Whether a checkpoint of a step after `step` exists, by its file name.
  bool has_checkpoint_after(std::int64_t step) const;

  /// Creates the directory and the folders that a run needs.
  void make(bool with_fields) const;

  /// Removes the run's own files, and `fields` if it is empty then; the folder of the checkpoints
  /// stays, because the next run needs it.
  void remove_results() const;

  /// Moves results into a new folder set_aside_<n> with the same relative paths: all of them, or
  /// those of steps after `after` with a copy of diagnostics.csv. Results in a folder on another
  /// file system move to a set_aside_<n> within that folder. Returns a message that names what was
  /// moved and where; empty if there was nothing to move.
  std::string set_aside(std::optional<std::int64_t> after) const;

 private:
  std::filesystem::path path_;
};

}  // namespace halotherm::app
