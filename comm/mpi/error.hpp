// SPDX-License-Identifier: MIT
// Errors that end a run in the same way on all ranks, and their exit codes.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/system/error_text.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace halotherm::comm {

/// A failure that all ranks of a communicator throw at the same place with the same text, so that
/// they unwind together.
class CollectiveError : public Error {
 public:
  using Error::Error;
};

/// Collective. Runs `work` on each rank. If it throws on any rank, all ranks throw one
/// CollectiveError with the text and code of the lowest failing rank; the text names that rank
/// unless all ranks failed. Costs one reduction if no rank fails. An exception must not leave
/// `work` while other ranks wait in a collective call within it.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Collective. Returns the value of `work`, and handles errors as `agree` does.
template <class Work>
auto agreed(const Communicator& communicator, Work&& work) {
  std::optional<decltype(work())> result;
  agree(communicator, [&] { result.emplace(work()); });
  return std::move(*result);
}

/// Collective. All ranks throw the error that rank 0 caught; none throws if rank 0 caught none.
/// Errors of other ranks are ignored.
void rethrow_of_root(const Communicator& communicator,
                     const std::optional<CollectiveError>& caught);

/// Keeps the first error of a rank where ranks do not communicate, such as in a step. The rank
/// continues, so that no other rank blocks; its results must not be published before `check`.
class DeferredError {
 public:
  /// Keeps the error unless there is an earlier one. `moment`: a number that orders the errors of
  /// all ranks, such as the time [s].
  void keep(double moment, const Error& error) {
    if (!first_) first_.emplace(moment, error);
  }
  bool kept() const { return first_.has_value(); }

  /// Collective. Throws the earliest error of all ranks as CollectiveError. Costs one reduction if
  /// there is none.
  void check(const Communicator& communicator) const;

 private:
  std::optional<std::pair<double, Error>> first_;
};

/// Prints the error and ends the whole job by MPI_Abort with its exit code. For a rank that cannot
/// unwind because a thread of it, or another rank, is in a call that never returns.
[[noreturn]] void end_job(const Communicator& world, const Error& error);

/// Runs the program's work and turns exceptions into the exit code. Rank 0 prints a
/// CollectiveError. Any other exception is printed by the rank that throws it and ends the whole
/// job by MPI_Abort, since other ranks may be blocked.
int guarded(const Communicator& world, const std::function<ExitCode()>& work);

}  // namespace halotherm::comm
