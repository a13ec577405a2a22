// SPDX-License-Identifier: MIT
// Finds the peer-accessible neighbours.
#pragma once

#include "comm/transport/transport.hpp"

#include <string>

namespace halotherm::comm {

struct ReachablePeers {
  std::vector<bool> accessible;  ///< for each channel, equal at both of its ends
  /// Why some channels within a node are not peer-accessible; equal on all ranks.
  std::string unavailable_reason;
};

/// Collective. A channel is peer-accessible if its ranks share a node and, where kernels run on
/// GPUs, both devices can map each other's memory, which is tried with a small allocation.
ReachablePeers find_reachable_peers(const Communicator& communicator,
                                    const std::vector<Channel>& channels);

}  // namespace halotherm::comm
