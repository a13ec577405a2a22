// SPDX-License-Identifier: MIT
// The program's commands.
#pragma once

#include "app/cli/options.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/mpi/error.hpp"

namespace halotherm::app {

/// Collective. Does what the command line asks for; rank 0 prints. Throws CollectiveError.
comm::ExitCode carry_out(const comm::Communicator& world, const Options& options);

}  // namespace halotherm::app
