// SPDX-License-Identifier: MIT
// The program's commands.
#pragma once

#include "app/options.hpp"
#include "comm/communicator.hpp"
#include "comm/error.hpp"

namespace halotherm::app {

/// Collective. Does what the command line asks for; rank 0 prints. Throws CollectiveError.
comm::ExitCode carry_out(const comm::Communicator& world, const Options& options);

}  // namespace halotherm::app
