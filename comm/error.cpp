// SPDX-License-Identifier: MIT
#include "comm/error.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>

namespace halotherm::comm {

namespace {

struct Failure {
  bool happened = false;
  ExitCode code = ExitCode::internal;
  std::string text;
};

Failure caught(const std::function<void()>& work) {
  try {
    work();
    return {};
  } catch (const Error& error) {
    return {true, error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {true, ExitCode::internal, "out of memory (the machine has no more to give) use more nodes or a smaller grid"};
  } catch (const std::filesystem::filesystem_error& error) {
    return {true, ExitCode::input_output, error.what()};
  } catch (const std::exception& error) {
    return {true, ExitCode::internal, error.what()};
  }
}

void print(const std::string& text) {
  std::cerr << "halotherm: " << text << std::endl;
}

}  // namespace

void agree(const Communicator& communicator, const std::function<void()>& work) {
  const Failure mine = caught(work);
  // one reduction tells whether anybody failed: the usual case costs no more
  std::array<double, 2> first_and_all{mine.happened ? -1.0 * communicator.rank() : -1.0 * communicator.size(),
                                      mine.happened ? 0.0 : 1.0};
  communicator.max(first_and_all);
  const int failed = static_cast<int>(-first_and_all[0]);
  if (failed == communicator.size()) return;

  const bool everywhere = first_and_all[1] == 0.0;
  const auto code = communicator.broadcast(std::to_string(static_cast<int>(mine.code)), failed);
  auto text = communicator.broadcast(mine.text, failed);
  if (!everywhere) text += " [rank " + std::to_string(failed) + "]";
  throw CollectiveError(static_cast<ExitCode>(std::stoi(code)), text);
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
