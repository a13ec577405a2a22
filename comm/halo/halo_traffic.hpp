// SPDX-License-Identifier: MIT
// What a rank sends in an exchange, by where it goes.
#pragma once

#include "comm/halo/halo_plan.hpp"

#include <cstdint>
#include <vector>

namespace halotherm::comm {

/// Messages and cells that a rank sends in an exchange; it receives as many.
struct RankTraffic {
  std::int64_t messages = 0;
  std::int64_t cells = 0;
  std::int64_t cells_off_node = 0;    ///< of them, sent to other nodes
  std::int64_t cells_on_node = 0;     ///< and to ranks of the same node
  std::int64_t longest_off_node = 0;  ///< cells of the longest message to another node

  /// Raises each number to that of `other` where that is larger.
  void raise_to(const RankTraffic& other);
};

/// Of a rank on `node`; `nodes`: each rank's node (comm/partition/rank_mapping.hpp).
RankTraffic traffic_of(const HaloPlan& plan, int node, const std::vector<int>& nodes);

}  // namespace halotherm::comm
