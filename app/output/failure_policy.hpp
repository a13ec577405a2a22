// SPDX-License-Identifier: MIT
// What a run does when a file cannot be written.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"

#include <functional>
#include <utility>

namespace halotherm::app {

/// Ends the run, or says so and goes on, as configured. What is no trouble of a disk, such as a
/// field that is not finite, always ends it.
class FailurePolicy {
 public:
  FailurePolicy(OnFailure on_failure, std::function<void(const std::string&)> warn)
      : on_failure_(on_failure), warn_(std::move(warn)) {}

  /// On every rank with the same failure. `consequence`: what the run does without, if it goes on.
  void report(const comm::CollectiveError& failure,
              const std::string& consequence = "the run goes on without this file") const {
    if (on_failure_ == OnFailure::stop || failure.code() != comm::ExitCode::input_output)
      throw comm::CollectiveError(failure);
    warn_(std::string(failure.what()) + "; " + consequence);
  }
  void warn(const std::string& text) const { warn_(text); }

 private:
  OnFailure on_failure_;
  std::function<void(const std::string&)> warn_;
};

}  // namespace halotherm::app
