// SPDX-License-Identifier: MIT
// diagnostics.csv: rows are written whole, and wait in memory while the disk is full.
#pragma once

#include "comm/mpi/error.hpp"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

namespace halotherm::app {

/// The rows of an earlier run's diagnostics that a restart keeps.
struct OldRows {
  std::string rows;      ///< each with its line end
  std::string missing;   ///< message: the steps without rows and why; empty if none is missing
  bool damaged = false;  ///< the file has unusable rows, which are lost if it is replaced
};

/// Reads the rows up to and including `step`, where a restart begins, from a file that begins with
/// `header` and got a row at every multiple of `period` steps. An unterminated last row is
/// discarded (torn by a full disk). Local. Throws nothing.
OldRows rows_until(const std::filesystem::path& file, const std::string& header, std::int64_t step,
                   std::int64_t period);

/// Whether the file has rows of steps after `step`. Local. Throws nothing.
bool has_rows_after(const std::filesystem::path& file, std::int64_t step);

/// A text file to which rows are appended; used on rank 0 only. Everything is local.
class DiagnosticsFile {
 public:
  /// Replaces the file's content by `text`, atomically: a killed run leaves the old or the new one.
  /// Throws comm::Error (input_output).
  void open(const std::filesystem::path& file, const std::string& text);

  /// Appends a line. Lines that cannot be written wait in memory and are retried with the next one.
  void add(const std::string& row);

  /// Flushes the rows to the disk, so that a checkpoint does not outlive them. Another thread may
  /// call it, it may take long, and rows can be added meanwhile.
  void flush();

  /// Why rows wait or were not flushed; none if all is well.
  std::optional<comm::Error> failure() const;

 private:
  void write_waiting();
  void set_failure(const std::optional<comm::Error>& failure);

  std::filesystem::path file_;
  std::int64_t bytes_ = 0;  ///< on the disk
  std::string waiting_;
  mutable std::mutex mutex_;  ///< guards failure_
  std::optional<comm::Error> failure_;
};

}  // namespace halotherm::app
