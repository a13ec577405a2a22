// SPDX-License-Identifier: MIT
// Tests which transports work between the ranks of a job, and measures their speed.
#pragma once

#include "comm/transport/transport.hpp"

#include <span>
#include <vector>

namespace halotherm::comm {

struct TransportTrial {
  TransportKind kind = TransportKind::staged;
  UnavailableReason unavailable;
  /// The time to pack and exchange all channels on the slowest rank, the best of several [s].
  double seconds = 0;
};

/// Collective, blocking. Exchanges messages of the channels' sizes by each of the kinds, checks
/// every element that arrives, then measures the time. The buffers are in device memory, and reused
/// so often that the cost of their first use does not count.
std::vector<TransportTrial> try_transports(const Communicator& communicator,
                                           const std::vector<Channel>& channels,
                                           std::span<const TransportKind> kinds);

/// Collective, blocking. Whether `nccl` works between all ranks; where it does not, that may take a
/// minute to show.
bool nccl_works(const Communicator& communicator);

/// Collective, blocking. The time of an exchange [s], as in TransportTrial, by transports that
/// work, one kind per channel.
double seconds_of_exchange(const Communicator& communicator, const std::vector<Channel>& channels,
                           const std::vector<TransportKind>& kinds);

/// The fastest transport that works. At least one must.
const TransportTrial& fastest(const std::vector<TransportTrial>& trials);

}  // namespace halotherm::comm
