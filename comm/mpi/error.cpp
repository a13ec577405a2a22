// SPDX-License-Identifier: MIT
#include "comm/mpi/error.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <limits>
#include <new>

namespace halotherm::comm {

namespace {

struct Failure {
  bool happened = false;
  ExitCode code = ExitCode::internal;
  std::string text;
  std::string reason;  ///< empty if the text is the reason
};

Failure caught(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return {true, error.code(), error.what(), error.reason()};
  } catch (const std::bad_alloc&) {
    return {true, ExitCode::internal,
            "out of memory (an allocation failed) use more nodes or a smaller grid", ""};
  } catch (const std::filesystem::filesystem_error& error) {
    return {true, ExitCode::input_output, error.what(), ""};
  } catch (const std::exception& error) {
    return {true, ExitCode::internal, error.what(), ""};
  }
}

/// Collective. Returns the failure of `root` on all ranks.
Failure broadcast(const Communicator& communicator, const Failure& failure, int root) {
  std::array<std::int64_t, 2> numbers{failure.happened ? 1 : 0,
                                      static_cast<std::int64_t>(failure.code)};
  communicator.broadcast(numbers, root);
  return {numbers[0] != 0, static_cast<ExitCode>(numbers[1]),
          communicator.broadcast(failure.text, root), communicator.broadcast(failure.reason, root)};
}

void print(const std::string& text) {
  std::cerr << "halotherm: " << text << std::endl;
}

}  // namespace

std::string to_string(const Problem& problem) {
  return problem.what + " (" + problem.reason + ") " + problem.remedy;
}

void agree(const Communicator& communicator, const std::function<void()>& work) {
  const Failure mine = caught(work);
  std::array<std::int64_t, 2> first_and_all{
      mine.happened ? communicator.rank() : communicator.size(), mine.happened ? 1 : 0};
  communicator.min(first_and_all);
  const int failed = static_cast<int>(first_and_all[0]);
  if (failed == communicator.size()) return;

  const bool everywhere = first_and_all[1] == 1;
  auto theirs = broadcast(communicator, mine, failed);
  if (!everywhere) theirs.text += " [rank " + std::to_string(failed) + "]";
  throw CollectiveError(theirs.code, theirs.text, theirs.reason);
}

void rethrow_of_root(const Communicator& communicator,
                     const std::optional<CollectiveError>& caught) {
  Failure failure;
  if (caught) failure = {true, caught->code(), caught->what(), caught->reason()};
  failure = broadcast(communicator, failure, 0);
  if (failure.happened) throw CollectiveError(failure.code, failure.text, failure.reason);
}

void DeferredError::check(const Communicator& communicator) const {
  constexpr double never = std::numeric_limits<double>::infinity();
  const double mine = first_ ? first_->first : never;
  const double earliest = communicator.min(mine);
  if (earliest == never) return;
  agree(communicator, [&] {
    if (mine == earliest) throw Error(first_->second);
  });
}

void end_job(const Communicator& world, const Error& error) {
  print("rank " + std::to_string(world.rank()) + ": " + error.what());
  MPI_Abort(world.handle(), static_cast<int>(error.code()));
  std::_Exit(static_cast<int>(error.code()));
}

int guarded(const Communicator& world, const std::function<ExitCode()>& work) {
  try {
    return static_cast<int>(work());
  } catch (const CollectiveError& error) {
    if (world.is_root()) print(error.what());
    return static_cast<int>(error.code());
  } catch (const Error& error) {
    end_job(world, error);
  } catch (const std::exception& error) {
    end_job(world, {ExitCode::internal, error.what()});
  }
}

}  // namespace halotherm::comm
