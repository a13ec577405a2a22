// SPDX-License-Identifier: MIT
// Ghost cells by one-sided MPI.
#pragma once

#include "comm/transport/transport.hpp"

namespace halotherm::comm {

/// Each rank exposes its receive buffers in a window of host memory, which is shared memory within
/// a node. Neighbours put their messages there and then send an empty message as a notice. Buffers
/// alternate between two halves: the notice of one exchange implies that the neighbour has read the
/// message of the previous one, whose half is free again.
///
/// Collective. Throws CollectiveError (usage) if MPI provides no window.
std::unique_ptr<Transport> make_rma_transport(const Communicator& communicator,
                                              const std::vector<Channel>& channels);

}  // namespace halotherm::comm
