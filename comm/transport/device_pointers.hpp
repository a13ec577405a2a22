// SPDX-License-Identifier: MIT
// Tests whether the MPI library accepts device pointers. Libraries that wrongly claim it usually
// crash.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <string>

namespace halotherm::comm {

/// Collective, blocking. The reason why MPI cannot take device pointers; empty if it can. If the
/// library claims support, one process per node is started that sends itself messages of up to
/// `bytes`, so that a crash does not end the job. This tests the library; try_transports tests the
/// transfer between ranks.
std::string device_pointers_unavailable(const Communicator& world, std::size_t bytes);

/// Whether this process was started for that test. `main` then calls `run_device_pointer_trial`
/// before anything else, and returns its exit code.
bool is_device_pointer_trial(int argc, char** argv);
int run_device_pointer_trial(int argc, char** argv);

}  // namespace halotherm::comm
