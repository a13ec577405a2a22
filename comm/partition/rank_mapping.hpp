// SPDX-License-Identifier: MIT
// Which rank has which block: those of a node side by side, so that large faces stay within nodes,
// whose links are the faster ones.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/partition/partition.hpp"

#include <vector>

namespace halotherm::comm {

/// Collective. For each rank the lowest one on its node.
std::vector<int> nodes_of(const Communicator& communicator);

/// Cells that all ranks together receive from other nodes in one exchange of ghost width 1.
/// `nodes`: any number for each rank, the same on a node.
std::int64_t cells_between_nodes(const Partition& partition, const std::vector<int>& nodes);

/// The same blocks, in the hands of those ranks that make `cells_between_nodes` least: every node
/// has a box of blocks, of the same shape. The cut as it is where nodes have unequal numbers of
/// ranks, or where that would not be fewer.
Partition mapped_by_nodes(const Partition& partition, const std::vector<int>& nodes);

}  // namespace halotherm::comm
