// SPDX-License-Identifier: MIT
// Channels of one rank that travel in different ways.
#pragma once

#include "comm/transport/transport.hpp"

namespace halotherm::comm {

/// One transport for each of the kinds in use, with the channels of that kind. Where the host has
/// to wait, all of them are on their way before it waits for the first.
///
/// Collective. `kinds`, one for each channel, and the same for the neighbour; `used`, those that
/// any rank has, alike on all ranks, since also a rank without channels of a kind takes part in
/// making its transport.
std::unique_ptr<Transport> make_mixed_transport(const std::vector<TransportKind>& used,
                                                const std::vector<TransportKind>& kinds,
                                                const Communicator& communicator,
                                                const std::vector<Channel>& channels);

}  // namespace halotherm::comm
