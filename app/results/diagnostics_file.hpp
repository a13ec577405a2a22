// SPDX-License-Identifier: MIT
// diagnostics.csv: rows that are never torn, and wait while a disk is full.
#pragma once

#include "comm/mpi/error.hpp"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace halotherm::app {

/// What is left of an earlier run's diagnostics.
struct OldRows {
  std::string rows;     ///< each with its end
  std::string missing;  ///< which steps have none, and why, for people; empty if all are there
  bool damaged =
      false;  ///< the file is there, and what cannot be used of it is lost if it is replaced
};

/// The rows up to and with the step that a restart begins at, under `header`, of a file to which a
/// row was added at every multiple of `period` steps. A last row without its end was torn by a full
/// disk, and is none. Throws nothing.
OldRows rows_until(const std::filesystem::path& file, const std::string& header, std::int64_t step,
                   std::int64_t period);

/// Whether the diagnostics have rows of later steps.
bool has_rows_after(const std::filesystem::path& file, std::int64_t step);

/// A text file to which rows are added. On rank 0 alone, on others it stays empty.
class DiagnosticsFile {
 public:
  /// Replaces what is there by `text`; a run that is killed meanwhile leaves the one or the other.
  /// Throws comm::Error (input_output).
  void open(const std::filesystem::path& file, const std::string& text);

  /// Adds a line. What the disk does not take waits, and is tried again with the next one.
  void add(const std::string& row);

  /// Brings the rows so far to the disk, so that a checkpoint does not outlive them. May be called
  /// by another thread, and may take long; rows can be added meanwhile.
  void flush();

  /// Why rows are waiting, or were not brought to the disk, if so.
  std::optional<comm::Error> failure() const;

 private:
  void write_waiting();
  void set_failure(const std::optional<comm::Error>& failure);

  std::filesystem::path file_;
  std::int64_t bytes_ = 0;  ///< on the disk
  std::string waiting_;
  mutable std::mutex mutex_;  ///< of the failure
  std::optional<comm::Error> failure_;
};

}  // namespace halotherm::app
