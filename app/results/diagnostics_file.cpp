// SPDX-License-Identifier: MIT
#include "app/results/diagnostics_file.hpp"

#include "comm/system/activity.hpp"
#include "io/files/durable_file.hpp"
#include "io/files/file_descriptor.hpp"
#include "io/text/number_text.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <span>
#include <sstream>
#include <system_error>

namespace halotherm::app {

namespace {

/// The row's step; none unless the row has one number for each name of the header.
std::optional<std::int64_t> step_of(const std::string& row, const std::string& header) {
  if (std::ranges::count(row, ',') != std::ranges::count(header, ',')) return std::nullopt;
  std::optional<std::int64_t> step;
  std::istringstream parts(row);
  for (std::string part; std::getline(parts, part, ',');) {
    if (!io::parse_number(part)) return std::nullopt;
    if (!step) step = io::parse_whole_number(part);
    if (!step || *step < 0) return std::nullopt;
  }
  return step;
}

std::string steps_text(std::int64_t first, std::int64_t last) {
  return (first == last ? "step " : "steps " + std::to_string(first) + " to ") +
         std::to_string(last);
}

}  // namespace

OldRows rows_until(const std::filesystem::path& file, const std::string& header, std::int64_t step,
                   std::int64_t period) {
  OldRows old;
  errno = 0;
  std::ifstream stream(file);
  const auto reason = std::generic_category().message(errno != 0 ? errno : EIO);
  std::string row;
  const auto lacks = [&](std::int64_t first, std::int64_t last, const std::string& why) {
    if (old.missing.empty())
      old.missing = "no rows of " + steps_text(first, last) + " (" + why + ")";
  };
  if (!stream) {
    lacks(0, step, reason);
    return old;
  }
  if (!std::getline(stream, row) || row != header) {
    old.damaged = true;
    lacks(0, step, "its first line does not match this run's columns");
    return old;
  }
  std::int64_t last = -1, line = 1, damaged_line = 0;
  while (std::getline(stream, row) && !stream.eof()) {
    ++line;
    const auto at = step_of(row, header);
    if (!at || *at <= last) {
      old.damaged = true;
      if (damaged_line == 0) damaged_line = line;
      continue;
    }
    if (damaged_line > 0)
      lacks(last + 1, std::min(*at - 1, step),
            "its line " + std::to_string(damaged_line) + " is damaged");
    if (*at > step) break;
    old.rows += row + "\n";
    last = *at;
  }
  if (last < step / period * period) {
    lacks(last + 1, step,
          damaged_line > 0 ? "its line " + std::to_string(damaged_line) + " is damaged"
                           : "it ends too early");
  }
  return old;
}

bool has_rows_after(const std::filesystem::path& file, std::int64_t step) {
  std::ifstream rows(file);
  std::string row;
  std::getline(rows, row);  // header
  while (std::getline(rows, row)) {
    if (std::strtoll(row.c_str(), nullptr, 10) > step) return true;
  }
  return false;
}

void DiagnosticsFile::open(const std::filesystem::path& file, const std::string& text) {
  io::write_text_file(file, text);
  file_ = file;
  bytes_ = static_cast<std::int64_t>(text.size());
  waiting_.clear();
  set_failure({});
}

void DiagnosticsFile::add(const std::string& row) {
  waiting_ += row + "\n";
  write_waiting();
}

void DiagnosticsFile::flush() {
  if (failure()) return;
  try {
    const io::FileDescriptor file(file_, O_WRONLY);
    if (!file.is_open()) io::fail("cannot open", file_, errno, "check the output directory");
    file.flush();
  } catch (const comm::Error& error) {
    set_failure(error);
  }
}

std::optional<comm::Error> DiagnosticsFile::failure() const {
  const std::lock_guard alone(mutex_);
  return failure_;
}

void DiagnosticsFile::set_failure(const std::optional<comm::Error>& failure) {
  const std::lock_guard alone(mutex_);
  failure_ = failure;
}

void DiagnosticsFile::write_waiting() {
  const comm::Activity activity("adding rows to '" + file_.string() + "'");
  try {
    io::FileDescriptor file(file_, O_WRONLY);
    if (!file.is_open()) io::fail("cannot open", file_, errno, "check the output directory");
    file.write(std::as_bytes(std::span(waiting_)), bytes_);
    file.close();
    bytes_ += static_cast<std::int64_t>(waiting_.size());
    waiting_.clear();
    set_failure({});
  } catch (const comm::Error& error) {
    set_failure(error);
  }
}

}  // namespace halotherm::app
