// SPDX-License-Identifier: MIT
// Output of a run while it goes: lines printed by the root rank, and a progress line.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/system/stopwatch.hpp"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

namespace halotherm::io {

/// Prints on rank 0 only. Not collective.
class Log {
 public:
  Log(const comm::Communicator& communicator, std::ostream& stream)
      : active_(communicator.is_root()), stream_(&stream), failure_(std::make_shared<int>(0)) {}

  void line(const std::string& text) const;
  /// errno of the first line that this log or a copy of it failed to print; 0 if all were printed.
  int failure() const { return *failure_; }
  bool active() const { return active_; }
  std::ostream& stream() const { return *stream_; }

 private:
  bool active_;
  std::ostream* stream_;
  std::shared_ptr<int> failure_;
};

/// Prints how far a run is: on a terminal one line, rewritten several times a second; in a file a
/// line every tenth of the run, and at least every minute.
class Progress {
 public:
  explicit Progress(const Log& log);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` from 0 to 1 of the whole run, of which `already` was done before a restart.
  void begin(double already);
  /// Cheap if nothing is to be printed. `text` returns the state: "step 120, t = 3.1 s".
  template <class Text>
  void update(double done, const Text& text) {
    if (due(done)) print(done, text());
  }
  /// Ends the terminal's line, so that other output may follow.
  void interrupt();

 private:
  bool due(double done) const;
  void print(double done, const std::string& text);

  Log log_;
  bool terminal_;
  bool line_open_ = false;
  double already_ = 0;
  double next_fraction_ = 0;
  double last_print_ = 0;  ///< [s] on `watch_`
  comm::Stopwatch watch_;
};

/// "2 h 03 min", "1 min 05 s", "12 s", "0.4 s".
std::string duration_text(double seconds);

}  // namespace halotherm::io
