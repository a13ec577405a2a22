// SPDX-License-Identifier: MIT
#include "app/diagnostics_file.hpp"

#include "io/file_descriptor.hpp"

#include <fcntl.h>

#include <cerrno>
#include <span>

namespace halotherm::app {

void DiagnosticsFile::open(const std::filesystem::path& file, const std::string& text) {
  file_ = file;
  bytes_ = 0;
  waiting_ = text;
  const io::FileDescriptor empty(file, O_WRONLY | O_CREAT | O_TRUNC);
  if (!empty.is_open()) io::fail("cannot write", file, errno, "free some space or choose another output.directory");
  write_waiting();
  if (failure_) throw comm::Error(*failure_);
}

void DiagnosticsFile::add(const std::string& row) {
  waiting_ += row + "\n";
  write_waiting();
}

void DiagnosticsFile::write_waiting() {
  try {
    const io::FileDescriptor file(file_, O_WRONLY);
    if (!file.is_open()) io::fail("cannot open", file_, errno, "check the output directory");
    file.write(std::as_bytes(std::span(waiting_)), bytes_);
    bytes_ += static_cast<std::int64_t>(waiting_.size());
    waiting_.clear();
    failure_.reset();
  } catch (const comm::Error& error) {
    failure_ = error;
  }
}

}  // namespace halotherm::app
