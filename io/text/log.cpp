// SPDX-License-Identifier: MIT
#include "io/text/log.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace halotherm::io {

namespace {

/// Whether the output of this process goes to a terminal. Open MPI's mpirun gives its ranks a
/// pseudo-terminal even where its own output goes into a file, so under mpirun the launcher's
/// output decides, which only a rank on the launcher's own node can inspect.
bool stdout_is_terminal() {
  if (isatty(STDOUT_FILENO) != 1) return false;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return true;
  std::error_code failure;
  const auto output =
      std::filesystem::read_symlink("/proc/" + std::to_string(getppid()) + "/fd/1", failure);
  return !failure &&
         (output.string().starts_with("/dev/pts/") || output.string().starts_with("/dev/tty"));
}

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return seconds < 9.95 ? fmt::format("{:.1f} s", seconds) : fmt::format("{} s", whole);
}

void Log::line(const std::string& text) const {
  if (!active_) return;
  errno = 0;
  *stream_ << text << std::endl;
  if (*stream_) return;
  if (*failure_ == 0) *failure_ = errno != 0 ? errno : EIO;
  stream_->clear();
}

Progress::Progress(const Log& log)
    : log_(log), terminal_(log.active() && &log.stream() == &std::cout && stdout_is_terminal()) {}

Progress::~Progress() {
  interrupt();
}

void Progress::begin(double already) {
  already_ = already;
  next_fraction_ = already;
  watch_ = {};
  last_print_ = 0;
}

bool Progress::due(double done) const {
  if (!log_.active()) return false;
  constexpr double refresh = 0.2;  // s, on a terminal
  constexpr double silence = 60;   // s, in a file
  if (done >= 1) return true;
  const double since = watch_.seconds() - last_print_;
  return terminal_ ? since > refresh : done >= next_fraction_ + 0.1 || since > silence;
}

void Progress::print(double done, const std::string& text) {
  const double elapsed = watch_.seconds();
  const double gained = done - already_;
  const std::string left = done >= 1    ? "took " + duration_text(elapsed)
                           : gained > 0 ? duration_text(elapsed * (1 - done) / gained) + " to go"
                                        : "";
  const auto line = fmt::format("{:5.1f} %  ", 100 * done) + text + "  " + left;
  if (terminal_) {
    log_.stream() << '\r' << line << "\033[K" << std::flush;
    line_open_ = true;
  } else {
    log_.line(line);
  }
  last_print_ = elapsed;
  next_fraction_ = already_ + std::floor(gained * 10) / 10;
}

void Progress::interrupt() {
  if (line_open_) log_.stream() << std::endl;
  line_open_ = false;
}

}  // namespace halotherm::io
