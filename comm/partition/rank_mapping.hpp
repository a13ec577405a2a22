// SPDX-License-Identifier: MIT
// Rank mapping: the ranks of a node get adjacent blocks, so that large faces stay within nodes.
#pragma once

#include "comm/partition/partition.hpp"

#include <vector>

namespace halotherm::comm {

/// Cells that all ranks together receive from other nodes in one exchange of ghost width 1.
/// `nodes`: for each rank any number that identifies its node.
std::int64_t cells_between_nodes(const Partition& partition, const std::vector<int>& nodes);

/// Maps the blocks to ranks such that `cells_between_nodes` is least if every node gets a box of
/// blocks, all boxes of one shape. Returns the partition unchanged where nodes have different
/// numbers of ranks, or where no such mapping has fewer cells.
Partition mapped_by_nodes(const Partition& partition, const std::vector<int>& nodes);

}  // namespace halotherm::comm
