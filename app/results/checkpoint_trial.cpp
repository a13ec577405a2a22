// SPDX-License-Identifier: MIT
#include "app/results/checkpoint_trial.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/child_process.hpp"
#include "io/field/checkpoint_metadata.hpp"
#include "io/hdf5/input_file.hpp"
#include "io/hdf5/library.hpp"

#include <string_view>

namespace halotherm::app {

namespace {
constexpr const char* trial_argument = "--checkpoint-trial";
constexpr double stall_timeout = 60;  ///< [s] for a few kilobytes
}  // namespace

void try_checkpoint(const comm::Communicator& world, const std::filesystem::path& file) {
  comm::agree(world, [&] {
    if (!world.is_root()) return;
    const auto outcome =
        comm::outcome_of({"/proc/self/exe", trial_argument, file.string()}, stall_timeout);
    if (outcome.empty()) return;
    throw comm::Error(comm::ExitCode::input_output,
                      {"cannot use '" + file.string() + "' as a checkpoint",
                       "it is damaged or forged: it crashes or blocks the HDF5 library, " + outcome,
                       "name another one"});
  });
}

bool is_checkpoint_trial(int argc, char** argv) {
  return argc == 3 && std::string_view(argv[1]) == trial_argument;
}

int run_checkpoint_trial(int, char** argv) {
  const io::hdf5::QuietErrors quiet;
  try {
    const auto file = io::hdf5::open_to_read(argv[2], "checkpoint");
    io::read_metadata(file.get());
  } catch (const std::exception&) {
    // The parent reads the file as well and reports the error.
  }
  return 0;
}

}  // namespace halotherm::app
