// SPDX-License-Identifier: MIT
// Errors that end a run the same way on every rank, and the exit codes that they carry.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace halotherm::comm {

/// What the program's exit status says (docs/exit_codes.md).
enum class ExitCode : int {
  done = 0,
  internal = 1,      ///< a defect of Halotherm or of the machine
  usage = 2,         ///< command line or configuration
  numerics = 3,      ///< NaN, unstable time step, no convergence
  input_output = 4,  ///< a file could not be read or written, or its content is wrong
  check_failed = 5,
  stopped_early = 75,  ///< a good checkpoint is there: please requeue
};

/// The parts of a message, for those who need one of them alone.
struct Problem {
  std::string what;
  std::string reason;
  std::string remedy;
};
/// "what (reason) remedy"
std::string to_string(const Problem& problem);

/// A failure with its exit code. The text follows "what is wrong (why it is) what to do".
/// Thrown on one rank only, it must pass through `agree` or it ends the job by MPI_Abort.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& text, std::string reason = {})
      : std::runtime_error(text), code_(code), reason_(std::move(reason)) {}
  Error(ExitCode code, const Problem& problem) : Error(code, to_string(problem), problem.reason) {}
  ExitCode code() const { return code_; }
  /// The cause alone, without what it prevents and what to do; the whole text if the error was made
  /// from a text.
  std::string reason() const { return reason_.empty() ? what() : reason_; }

 private:
  ExitCode code_;
  std::string reason_;
};

/// A failure that all ranks of the communicator throw at the same place with the same text, so that
/// they unwind together.
class CollectiveError : public Error {
 public:
  using Error::Error;
};

/// Collective. Runs `work` on each rank; if it throws on any, all ranks throw one CollectiveError
/// with the text and code of the lowest failing rank. The text names that rank when only some ranks
/// failed. Set-up and file work only: it communicates. `work` itself must not be left half-way by
/// an exception while other ranks wait inside a collective call of it.
void agree(const Communicator& communicator, const std::function<void()>& work);

/// Collective. The same for a work that gives a value.
template <class Work>
auto agreed(const Communicator& communicator, Work&& work) {
  std::optional<decltype(work())> result;
  agree(communicator, [&] { result.emplace(work()); });
  return std::move(*result);
}

/// Collective. All ranks throw what rank 0 caught; none throws if rank 0 caught nothing. What other
/// ranks caught does not count.
void rethrow_of_root(const Communicator& communicator,
                     const std::optional<CollectiveError>& caught);

/// Prints the error, and ends the whole job by MPI_Abort with its exit code. For a rank that cannot
/// unwind: a thread of it, or other ranks, are in a call that never returns.
[[noreturn]] void end_job(const Communicator& world, const Error& error);

/// Runs the program's work and turns what it throws into the exit code. A CollectiveError is
/// printed once, by rank 0; any other exception is printed by the rank that has it and ends the
/// whole job by MPI_Abort, since other ranks may be waiting for it.
int guarded(const Communicator& world, const std::function<ExitCode()>& work);

}  // namespace halotherm::comm
