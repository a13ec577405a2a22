// SPDX-License-Identifier: MIT
// Reads a checkpoint's metadata in a child process first: HDF5 libraries crash or hang on some
// damaged or forged files.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <filesystem>

namespace halotherm::app {

/// Collective. A child process of rank 0 reads the file's metadata. Throws CollectiveError
/// (input_output) if the child ends by a signal or does not end; other errors in the file are left
/// to io::read_checkpoint_info, which reports them in detail.
void try_checkpoint(const comm::Communicator& world, const std::filesystem::path& file);

/// The child process; `main` calls it before anything else if `is_checkpoint_trial`.
bool is_checkpoint_trial(int argc, char** argv);
int run_checkpoint_trial(int argc, char** argv);

}  // namespace halotherm::app
