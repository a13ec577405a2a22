// SPDX-License-Identifier: MIT
// Errors where ranks do not meet, such as in a step.
#pragma once

#include "comm/mpi/error.hpp"

#include <optional>
#include <utility>

namespace halotherm::comm {

/// Keeps the first error of this rank until all ranks meet. Meanwhile the rank goes on, so that no
/// other one waits for it; what it computes must not be published before `check`.
class DeferredError {
 public:
  /// Keeps the error unless there is an earlier one. `moment`: when it happened, a number that
  /// ranks have in common, such as the time [s].
  void keep(double moment, const Error& error) {
    if (!first_) first_.emplace(moment, error);
  }
  bool kept() const { return first_.has_value(); }

  /// Collective; one reduction if there is no error. Throws the ranks' earliest one as
  /// CollectiveError.
  void check(const Communicator& communicator) const;

 private:
  std::optional<std::pair<double, Error>> first_;
};

}  // namespace halotherm::comm
