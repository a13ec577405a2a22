// SPDX-License-Identifier: MIT
#include "comm/transport/peer_reachability.hpp"

#include "comm/device/execution.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/rank_texts.hpp"
#include "comm/transport/peer_memory.hpp"

#include <map>

namespace halotherm::comm {

namespace {

/// Why this rank's device cannot map the memory; empty if it can.
std::string mapping_error(const PeerMemory::Handle& handle, int rank) {
  try {
    const MappedMemory mapped(handle, rank);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Collective. Removes the channels whose ends cannot map each other's memory. Returns the first
/// reason why this rank cannot map a neighbour's.
std::string keep_mappable(const Communicator& communicator, const std::vector<Channel>& channels,
                          std::vector<bool>& accessible) {
  const PeerMemory memory(1);
  const auto handles = exchange_with_neighbours(communicator, channels,
                                                std::vector(channels.size(), memory.handle()));
  std::map<int, std::string> errors;  // of each neighbour, since memory can be mapped only once
  std::vector<char> mapped(channels.size());
  std::string first;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!accessible[c]) continue;
    const int neighbour = channels[c].neighbour;
    const auto [error, inserted] = errors.try_emplace(neighbour);
    if (inserted) error->second = mapping_error(handles[c], neighbour);
    if (first.empty()) first = error->second;
    mapped[c] = error->second.empty();
  }
  // after this exchange no rank maps `memory` any more
  const auto mapped_there = exchange_with_neighbours(communicator, channels, mapped);
  for (std::size_t c = 0; c < channels.size(); ++c)
    accessible[c] = mapped[c] != 0 && mapped_there[c] != 0;
  return first;
}

}  // namespace

ReachablePeers find_reachable_peers(const Communicator& communicator,
                                    const std::vector<Channel>& channels) {
  const auto& nodes = communicator.nodes();
  const auto node_of = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
  ReachablePeers peers;
  for (const auto& channel : channels)
    peers.accessible.push_back(node_of(channel.neighbour) == node_of(communicator.rank()));
  if constexpr (!kernels_run_on_host) {
    const auto reason = keep_mappable(communicator, channels, peers.accessible);
    const auto reasons = distinct_texts(communicator, reason);
    if (!reasons.empty()) peers.unavailable_reason = reasons.front();
  }
  return peers;
}

}  // namespace halotherm::comm
