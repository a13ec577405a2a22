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

using Failure = std::optional<Error>;

Failure caught(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ExitCode::internal,
                 {"out of memory", "an allocation failed", "use more nodes or a smaller grid"});
  } catch (const std::filesystem::filesystem_error& error) {
    return Error(ExitCode::input_output, {error.what(), "", ""});
  } catch (const std::exception& error) {
    return Error(ExitCode::internal, {error.what(), "", ""});
  }
}

/// Collective. Throws the failure of `root`, if any, on all ranks.
void throw_failure_of(int root, const Communicator& communicator, const Failure& mine) {
  constexpr int none = -1;
  const bool is_root = communicator.rank() == root;
  std::array<std::int64_t, 3> numbers{};  // whether there is a failure, its code, its rank
  if (is_root && mine) {
    numbers = {1, static_cast<std::int64_t>(mine->code()), mine->text().rank.value_or(none)};
  }
  communicator.broadcast(numbers, root);
  if (numbers[0] == 0) return;
  ErrorText text;
  if (mine) text = mine->text();
  for (auto* part : {&text.problem, &text.reason, &text.remedy})
    *part = communicator.broadcast(*part, root);
  text.rank.reset();
  if (numbers[2] != none) text.rank = static_cast<int>(numbers[2]);
  throw CollectiveError(static_cast<ExitCode>(numbers[1]), text);
}

void print(const std::string& text) {
  std::cerr << "halotherm: " << text << std::endl;
}

}  // namespace

void agree(const Communicator& communicator, const std::function<void()>& work) {
  Failure mine = caught(work);
  std::array<std::int64_t, 2> first_and_all{mine ? communicator.rank() : communicator.size(),
                                            mine ? 1 : 0};
  communicator.min(first_and_all);
  const int failed = static_cast<int>(first_and_all[0]);
  if (failed == communicator.size()) return;
  const bool everywhere = first_and_all[1] == 1;
  if (mine && !everywhere) {
    auto text = mine->text();
    text.rank = communicator.rank();
    mine.emplace(mine->code(), text);
  }
  throw_failure_of(failed, communicator, mine);
}

void rethrow_of_root(const Communicator& communicator,
                     const std::optional<CollectiveError>& caught) {
  throw_failure_of(0, communicator, caught ? Failure(*caught) : std::nullopt);
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
    end_job(world, {ExitCode::internal, {error.what(), "", ""}});
  }
}

}  // namespace halotherm::comm
