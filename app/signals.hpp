// SPDX-License-Identifier: MIT
// Signals that ask a run for something.
#pragma once

#include <csignal>

namespace halotherm::app {

/// While it lives, SIGTERM, SIGINT and SIGUSR2 ask for a checkpoint and an end, SIGUSR1 for a checkpoint alone; the run looks at
/// them where it suits. A second SIGINT has its usual effect, so that Ctrl-C twice always ends a program. One at a time.
class SignalRequests {
 public:
  SignalRequests();
  ~SignalRequests();
  SignalRequests(const SignalRequests&) = delete;
  SignalRequests& operator=(const SignalRequests&) = delete;

  /// The signal that asked for the end, or 0.
  static int stop();
  /// How often a checkpoint was asked for.
  static int checkpoints();

 private:
  struct sigaction before_[4];
};

/// "SIGTERM", or "signal 33".
const char* name_of_signal(int signal);

}  // namespace halotherm::app
