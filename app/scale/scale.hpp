// SPDX-License-Identifier: MIT
// halotherm scale: measures strong or weak scaling, and names the bottleneck.
#pragma once

#include "app/config/config.hpp"
#include "app/scale/scale_record.hpp"
#include "io/text/log.hpp"

#include <filesystem>
#include <optional>

namespace halotherm::app {

struct ScaleOptions {
  ScaleKind kind = ScaleKind::strong;
  std::vector<int> ranks;             ///< ascending; empty: 1, 2, 4, … and all of the job
  int repeats = 6;                    ///< minimum for a 95 % interval
  std::optional<std::int64_t> steps;  ///< of a repeat; none: about a second's
  std::optional<std::filesystem::path> json;
  std::optional<std::filesystem::path> csv;
};

/// The ranks that share the configured grid on the smallest number of ranks; 1 in weak studies.
int fewest_ranks(const ScaleOptions& options);

/// Collective, within a DeviceScope. Runs the configured problem, without outputs, on each number
/// of ranks in turn, while other ranks sleep; the fields of all numbers of ranks are allocated at
/// once. Prints tables and the bottleneck. Only rank 0's record is complete. Throws
/// CollectiveError: usage if the job has too few ranks, the grid cannot be partitioned or grown, or
/// memory is too small; numerics if a temperature is not finite at the end.
ScaleRecord scale(const comm::Communicator& world, const Config& config,
                  const ScaleOptions& options, const io::Log& log);

}  // namespace halotherm::app
