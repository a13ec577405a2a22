// SPDX-License-Identifier: MIT
// The grid and the partition of a configuration.
#pragma once

#include "app/config/config.hpp"
#include "comm/partition/rank_mapping.hpp"
#include "io/text/grid_shape.hpp"
#include "solver/field/grid.hpp"

#include <vector>

namespace halotherm::app {

solver::Grid make_grid(const Config& config);
io::GridShape shape_of(const solver::Grid& grid);
comm::Periodic periodic_axes(const Config& config);

/// The configured partition, with blocks in the order of the ranks; even unless split points are
/// given. Throws comm::Error (usage) if the grid cannot be partitioned so.
comm::Partition make_partition(const Config& config, int ranks);
/// The configured partition and rank mapping for ranks on these nodes
/// (comm/partition/rank_mapping.hpp).
comm::Partition make_partition(const Config& config, const std::vector<int>& nodes);

}  // namespace halotherm::app
