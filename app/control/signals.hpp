// SPDX-License-Identifier: MIT
// Signals that request a checkpoint or the end of a run.
#pragma once

#include <csignal>

namespace halotherm::app {

/// From `listen` to the end of the program, SIGTERM, SIGINT, SIGUSR2, SIGHUP (unless it is ignored,
/// as under nohup) and SIGPIPE (later output is lost) request a checkpoint and the end of the run;
/// SIGUSR1 requests a checkpoint only. The run polls the requests. A second SIGINT has its default
/// effect, so Ctrl-C twice always ends the program. The handlers are never restored: a batch
/// system's signal reaches some ranks later than others, and would kill ranks that are shutting
/// down. Everything is local and throws nothing.
struct SignalRequests {
  static void listen();
  /// The first signal that requested the end, or 0.
  static int stop();
  /// Number of checkpoint requests so far.
  static int checkpoints();
};

/// The name of a stop signal, for example "SIGTERM"; "a signal" for any other.
const char* name_of_signal(int signal);

}  // namespace halotherm::app
