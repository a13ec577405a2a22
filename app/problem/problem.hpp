// SPDX-License-Identifier: MIT
// What a configuration means for the grid and for how it is cut.
#pragma once

#include "app/config/config.hpp"
#include "comm/partition/rank_mapping.hpp"
#include "io/text/grid_shape.hpp"
#include "solver/equation/clock.hpp"
#include "solver/field/grid.hpp"

#include <string>
#include <utility>
#include <vector>

namespace halotherm::app {

solver::Grid make_grid(const GridConfig& config);
io::GridShape shape_of(const solver::Grid& grid);
comm::Periodic periodic_axes(const Config& config);

/// The configured cut, with blocks in the order of the ranks; even unless the cuts are given.
/// Throws comm::Error (usage) if the grid cannot be cut so.
comm::Partition make_partition(const Config& config, int ranks);
/// The same for ranks on these nodes (comm/partition/rank_mapping.hpp), placed as configured.
comm::Partition make_partition(const Config& config, const std::vector<int>& nodes);

/// How many threads a rank's steps have work for: more would only make kernels start and end later
/// (docs/performance.md).
int threads_worth(double cells_of_a_rank);
/// The same where so many ranks share the grid.
int threads_worth(const Config& config, int ranks);

/// The quantities that are sampled on the grid's cells, with their keys; that of the conductivity
/// once for each that is given.
std::vector<std::pair<std::string, const Quantity*>> quantities_on_cells(const Config& config);

solver::End end_of(const TimeConfig& config);
solver::Schedule schedule_of(const ScheduleConfig& config);

}  // namespace halotherm::app
