// SPDX-License-Identifier: MIT
// Errors that end a run in the same way on all ranks, and their exit codes.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace halotherm::comm {

/// The program's exit status (docs/exit_codes.md).
enum class ExitCode : int {
  done = 0,
  internal = 1,      ///< a defect of Halotherm or of the machine
  usage = 2,         ///< command line or configuration
  numerics = 3,      ///< NaN, unstable time step, no convergence
  input_output = 4,  ///< a file cannot be read or written, or its content is wrong
  check_failed = 5,
  stopped_early = 75,  ///< a valid checkpoint exists: requeue the job
};

/// The parts of an error message. None ends with punctuation; a reason or remedy may be empty.
struct ErrorText {
  std::string problem;        ///< what is wrong, where
  std::string reason;         ///< why, or the rule that is broken; without parentheses around it
  std::string remedy;         ///< what to do, in the imperative
  std::optional<int> rank{};  ///< the rank that failed, if others did not
};
/// "problem (reason); remedy [rank 3]"
std::string to_string(const ErrorText& text);

/// A failure with its exit code and text. An Error that only some ranks throw must pass through
/// `agree`; otherwise it ends the job by MPI_Abort.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, ErrorText text)
      : std::runtime_error(to_string(text)), code_(code), text_(std::move(text)) {}
  ExitCode code() const { return code_; }
  const ErrorText& text() const { return text_; }
  /// The reason, or the problem if the text has no reason.
  const std::string& reason() const { return text_.reason.empty() ? text_.problem : text_.reason; }

 private:
  ExitCode code_;
  ErrorText text_;
};

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
