// SPDX-License-Identifier: MIT
// Which transports work between the ranks at hand, and how fast: found out by use, not by asking.
#pragma once

#include "comm/transport/transport.hpp"
#include "comm/transport/unavailable_reason.hpp"

#include <span>
#include <vector>

namespace halotherm::comm {

struct TransportTrial {
  TransportKind kind = TransportKind::staged;
  UnavailableReason unavailable;
  double seconds =
      0;  ///< the packing and the exchange of all channels on the slowest rank, the best of several
};

/// Collective. Exchanges messages of the channels' sizes by each of the kinds, checks every byte
/// that arrives, then takes the time. The buffers are in device memory, and the same ones are used
/// often enough that what MPI does at first use does not count.
std::vector<TransportTrial> try_transports(const Communicator& communicator,
                                           const std::vector<Channel>& channels,
                                           std::span<const TransportKind> kinds);

/// Collective. What such a trial takes [s] by transports that are known to work, one for each
/// channel.
double seconds_of_exchange(const Communicator& communicator, const std::vector<Channel>& channels,
                           const std::vector<TransportKind>& kinds);

/// The fastest that works. At least one must.
const TransportTrial& fastest(const std::vector<TransportTrial>& trials);

}  // namespace halotherm::comm
