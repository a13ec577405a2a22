// SPDX-License-Identifier: MIT
#include "app/control/signals.hpp"

namespace halotherm::app {

namespace {

constexpr int signals[] = {SIGTERM, SIGINT, SIGUSR2, SIGUSR1, SIGHUP, SIGPIPE};

// A signal handler may write only variables of this type.
volatile std::sig_atomic_t stop_signal = 0;
volatile std::sig_atomic_t checkpoint_count = 0;

void remember(int signal) {
  if (signal == SIGUSR1) {
    checkpoint_count = checkpoint_count + 1;
  } else if (stop_signal == 0) {
    stop_signal = signal;  // the first signal is reported as the reason
  }
  if (signal == SIGINT) std::signal(SIGINT, SIG_DFL);
}

}  // namespace

void SignalRequests::listen() {
  stop_signal = 0;
  checkpoint_count = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (signal == SIGHUP && old.sa_handler == SIG_IGN) continue;  // the program runs under nohup
    sigaction(signal, &action, nullptr);
  }
}

int SignalRequests::stop() {
  return stop_signal;
}

int SignalRequests::checkpoints() {
  return checkpoint_count;
}

const char* name_of_signal(int signal) {
  switch (signal) {
    case SIGTERM:
      return "SIGTERM";
    case SIGINT:
      return "SIGINT";
    case SIGUSR2:
      return "SIGUSR2";
    case SIGHUP:
      return "SIGHUP";
    case SIGPIPE:
      return "SIGPIPE: the reader of its output has gone";
    default:
      return "a signal";
  }
}

}  // namespace halotherm::app
