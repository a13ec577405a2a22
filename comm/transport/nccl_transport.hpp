// SPDX-License-Identifier: MIT
// Ghost cells by NCCL: sends and receives in the order of the edge stream.
#pragma once

#include "comm/transport/transport.hpp"

namespace halotherm::comm {

/// Devices exchange messages without their hosts, within a node and between nodes: an exchange is
/// one launch between those that pack and unpack, and can be recorded with them.
///
/// Collective. Throws CollectiveError (usage) if NCCL cannot be used (Nccl::of). In builds with
/// CUDA only.
std::unique_ptr<Transport> make_nccl_transport(const Communicator& communicator,
                                               const std::vector<Channel>& channels);

}  // namespace halotherm::comm
