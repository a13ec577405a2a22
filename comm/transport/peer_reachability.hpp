// SPDX-License-Identifier: MIT
// Which neighbours are peers.
#pragma once

#include "comm/transport/transport.hpp"

#include <string>

namespace halotherm::comm {

struct ReachablePeers {
  std::vector<bool> near;   ///< of each channel; the neighbour finds the same
  std::string unavailable;  ///< why not all that stay within a node are near; the same on all ranks
};

/// Collective. Near are channels between ranks that share a node and, where kernels run on GPUs,
/// whose devices can map each other's memory, which both try with a small piece.
ReachablePeers find_reachable_peers(const Communicator& communicator,
                                    const std::vector<Channel>& channels);

}  // namespace halotherm::comm
