// SPDX-License-Identifier: MIT
// A first look at a checkpoint in a process of its own: HDF5 libraries crash, or never end, on some
// damaged or forged files.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <filesystem>

namespace halotherm::app {

/// Collective. Rank 0 has a child process read what the file says of itself. Throws CollectiveError
/// (input_output) if that ends by a signal or not at all; what is merely wrong with the file is
/// left to io::read_checkpoint_info, which says it better.
void try_checkpoint(const comm::Communicator& world, const std::filesystem::path& file);

/// That process: `main` calls it, before anything else, if `is_checkpoint_trial`.
bool is_checkpoint_trial(int argc, char** argv);
int run_checkpoint_trial(int argc, char** argv);

}  // namespace halotherm::app
