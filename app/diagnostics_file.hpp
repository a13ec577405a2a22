// SPDX-License-Identifier: MIT
// diagnostics.csv: rows that are never torn, and wait while a disk is full.
#pragma once

#include "comm/error.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace halotherm::app {

/// A text file to which rows are added. On rank 0 alone.
class DiagnosticsFile {
 public:
  /// Replaces what is there by `text`. Throws comm::Error (input_output).
  void open(const std::filesystem::path& file, const std::string& text);

  /// Adds a line. What the disk does not take waits, and is tried again with the next one.
  void add(const std::string& row);

  /// Why rows are waiting, if some are.
  const std::optional<comm::Error>& failure() const { return failure_; }

 private:
  void write_waiting();

  std::filesystem::path file_;
  std::int64_t bytes_ = 0;  ///< on the disk
  std::string waiting_;
  std::optional<comm::Error> failure_;
};

}  // namespace halotherm::app
