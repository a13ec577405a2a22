// SPDX-License-Identifier: MIT
// Whether the MPI library really takes device pointers. One that does not, whatever it claims,
// usually crashes.
#pragma once

#include "comm/mpi/communicator.hpp"

#include <cstddef>
#include <string>

namespace halotherm::comm {

/// Collective. Why device pointers must not be handed to MPI; empty if they may. A library that
/// claims to take them is asked to send messages of up to `bytes` within a process of its own on
/// each node, so that a crash costs nothing but the answer. That proves the library; whether bytes
/// arrive between ranks is seen by try_transports.
std::string device_pointers_unavailable(const Communicator& world, std::size_t bytes);

/// That process: `main` calls it, before anything else, if `is_device_pointer_trial`. Gives the
/// exit code, if it lives.
bool is_device_pointer_trial(int argc, char** argv);
int run_device_pointer_trial(int argc, char** argv);

}  // namespace halotherm::comm
