// SPDX-License-Identifier: MIT
// Ghost cells by direct writes into the neighbour's device memory.
#pragma once

#include "comm/transport/transport.hpp"

namespace halotherm::comm {

/// For peer-accessible neighbours on one node (CUDA IPC). The packing kernel writes into the
/// neighbour's receive buffer and then signals a flag there; the neighbour's kernel waits for the
/// flag and unpacks. The host neither sends nor waits, and may run many steps ahead of the devices.
/// Buffers alternate between two halves: the arrival of a message implies that its sender has read
/// the previous one, whose half is free again.
///
/// Collective. Throws CollectiveError (usage) if any rank cannot map a neighbour's memory. In
/// builds with CUDA only.
std::unique_ptr<Transport> make_peer_transport(const Communicator& communicator,
                                               const std::vector<Channel>& channels);

}  // namespace halotherm::comm
