// SPDX-License-Identifier: MIT
#include "app/diagnostics_file.hpp"

#include "comm/activity.hpp"
#include "io/durable_file.hpp"
#include "io/file_descriptor.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <span>

namespace halotherm::app {

std::string rows_until(const std::filesystem::path& file, std::int64_t step) {
  std::ifstream old(file);
  std::string kept;
  std::string row;
  std::getline(old, row);  // header
  while (std::getline(old, row) && !old.eof()) {
    if (row.empty() || std::strtoll(row.c_str(), nullptr, 10) > step) break;
    kept += row + "\n";
  }
  return kept;
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
