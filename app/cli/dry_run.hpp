// SPDX-License-Identifier: MIT
// `run --dry-run --ranks N`: a dry run on a machine that is not there.
#pragma once

#include "app/cli/options.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/log.hpp"

namespace halotherm::app {

/// Collective, on one rank. Prints what the run would need, and writes it as JSON if a file is
/// named. Throws CollectiveError: usage if the job has several ranks, if the grid cannot be
/// partitioned, or, after all is printed, if a given memory does not suffice.
comm::ExitCode run_allocation(const comm::Communicator& world, const Options& options,
                              const io::Log& log);

}  // namespace halotherm::app
