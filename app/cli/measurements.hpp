// SPDX-License-Identifier: MIT
// The commands that measure and verify: bench, probe, scale and verify.
#pragma once

#include "app/cli/options.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace halotherm::app {

/// Collective. Checks before the measurements that their results can be written. Throws
/// CollectiveError (input or output).
void check_targets(const comm::Communicator& world,
                   const std::vector<std::optional<std::filesystem::path>>& files);

/// Collective. Each measures, prints its report, and writes the files that the options name. Throws
/// CollectiveError.
comm::ExitCode run_bench(const comm::Communicator& world, const BenchOptions& options,
                         const io::Log& log);
comm::ExitCode run_probe(const comm::Communicator& world, const ProbeOptions& options,
                         const io::Log& log);
comm::ExitCode run_scale(const comm::Communicator& world, const Options& options,
                         const io::Log& log);
comm::ExitCode run_verify(const comm::Communicator& world, const VerifyOptions& options,
                          const io::Log& log);

}  // namespace halotherm::app
