// SPDX-License-Identifier: MIT
// Ghost cells straight into the neighbour's memory.
#pragma once

#include "comm/transport/transport.hpp"

namespace halotherm::comm {

/// For neighbours that share a node, and whose devices can map each other's memory (CUDA IPC). The
/// kernel that packs writes into the neighbour's receive buffer, then sets a flag there, for which
/// the neighbour's kernel waits before it unpacks. So the host neither sends nor waits, and may be
/// many steps ahead of the devices. Each buffer is there twice: a message that has arrived says
/// that its sender has read the one before, whose place is free for the next one.
///
/// Collective. Throws CollectiveError (usage) on all ranks if one of them cannot reach a neighbour
/// so. In builds with CUDA only.
std::unique_ptr<Transport> make_peer_transport(const Communicator& communicator,
                                               const std::vector<Channel>& channels);

}  // namespace halotherm::comm
