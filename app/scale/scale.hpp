// SPDX-License-Identifier: MIT
// halotherm scale: how much faster, or how much larger, a problem gets on more ranks, and what
// limits it.
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
  int repeats = 6;                    ///< the fewest from which an interval of 95 % can be told
  std::optional<std::int64_t> steps;  ///< of a repeat; none: as many as take about a second
  std::optional<std::filesystem::path> json;
  std::optional<std::filesystem::path> csv;
};

/// Of a study: its first number of ranks; in weak studies 1, as every rank has a block of the
/// configuration's own grid.
int fewest_ranks(const ScaleOptions& options);

/// Collective, within a DeviceScope. Runs the configuration's problem, without its outputs, on each
/// number of ranks in turn, while the others sleep; all fields of all of them are there at once.
/// Prints tables and the bottleneck. Only rank 0's record is complete. Throws CollectiveError:
/// usage if the job has too few ranks, the grid cannot be cut or grown so, or the memory does not
/// hold it; numerics if a temperature is not finite at the end.
ScaleRecord scale(const comm::Communicator& world, const Config& config,
                  const ScaleOptions& options, const io::Log& log);

}  // namespace halotherm::app
