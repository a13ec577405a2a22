// SPDX-License-Identifier: MIT
// Ghost cells by one-sided MPI.
#pragma once

#include "comm/transport/transport.hpp"

namespace halotherm::comm {

/// Each rank exposes its receive buffers in a window of host memory, shared memory within a node.
/// Neighbours put their messages there, and tell by an empty message when they have arrived.
/// Buffers are there twice, by turns: who has the message of one exchange knows that its neighbour
/// is done with the one before, and may overwrite it.
///
/// Collective. Throws CollectiveError if MPI gives no window.
std::unique_ptr<Transport> make_rma_transport(const Communicator& communicator,
                                              const std::vector<Channel>& channels);

}  // namespace halotherm::comm
