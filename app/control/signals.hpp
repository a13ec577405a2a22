// SPDX-License-Identifier: MIT
// Signals that ask a run for something.
#pragma once

#include <csignal>

namespace halotherm::app {

/// From `listen` on, to the end of the program, SIGTERM, SIGINT, SIGUSR2, SIGHUP (unless it is
/// ignored, as nohup has it) and SIGPIPE (what is printed afterwards is lost) ask for a checkpoint
/// and an end, SIGUSR1 for a checkpoint alone; the run looks at them where it suits. A second
/// SIGINT has its usual effect, so that Ctrl-C twice always ends a program. Nothing is ever put
/// back: a batch system's signal reaches some ranks later than others, which may have made all of
/// them end by then, and it would kill those on their last way.
struct SignalRequests {
  static void listen();
  /// The signal that asked for the end, or 0.
  static int stop();
  /// How often a checkpoint was asked for.
  static int checkpoints();
};

/// "SIGTERM", or "a signal".
const char* name_of_signal(int signal);

}  // namespace halotherm::app
