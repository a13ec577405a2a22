// SPDX-License-Identifier: MIT
// The reaction of a run to a file that cannot be written.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/error.hpp"

#include <functional>
#include <utility>

namespace halotherm::app {

/// Ends the run, or warns and continues, as `output.on_failure` configures. Errors other than
/// input_output, such as a field that is not finite, always end the run.
class FailurePolicy {
 public:
  FailurePolicy(OnFailure on_failure, std::function<void(const std::string&)> warn)
      : on_failure_(on_failure), warn_(std::move(warn)) {}

  /// Called on every rank with the same failure. Throws it, or warns that the run continues with
  /// `consequence`.
  void report(const comm::CollectiveError& failure,
              const std::string& consequence = "the run continues without this file") const {
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
