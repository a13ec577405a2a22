// SPDX-License-Identifier: MIT
// What all ranks exchange together, without their plans.
#pragma once

#include "comm/halo/halo_plan.hpp"

#include <vector>

namespace halotherm::comm {

/// Of one exchange by all ranks.
struct HaloTotals {
  std::int64_t messages = 0;
  std::int64_t cells = 0;          ///< sent
  std::int64_t between_nodes = 0;  ///< of them, those that leave their node
};

/// The sums over the plans that make_halo_plan gives all ranks. `nodes`: a number for each rank,
/// equal on one node. Messages and cells follow from the split points; only for the cells that
/// leave a node are the ranks gone through, without any allocation of memory. Throws Error (usage)
/// if a message would have 2^31 cells or more.
HaloTotals halo_totals(const Partition& partition, int width, GhostRegion region,
                       const std::vector<int>& nodes);

/// One block of each kind that a rank's memory depends on: for each axis the first and the last
/// block and the largest between them. As ranks of `partition`, which must not be `mapped`; at most
/// 27. One of them has the most cells, and one the largest plan.
std::vector<int> kinds_of_blocks(const Partition& partition);

}  // namespace halotherm::comm
