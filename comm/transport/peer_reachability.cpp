// SPDX-License-Identifier: MIT
#include "comm/transport/peer_reachability.hpp"

#include "comm/device/execution.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/neighbour_exchange.hpp"
#include "comm/transport/peer_memory.hpp"

#include <algorithm>
#include <map>

namespace halotherm::comm {

namespace {

/// Of each channel, whether MPI says that the neighbour shares this rank's node.
std::vector<bool> on_this_node(const Communicator& communicator,
                               const std::vector<Channel>& channels) {
  const auto node = communicator.node();
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group here = MPI_GROUP_NULL;
  check(MPI_Comm_group(communicator.handle(), &all));
  check(MPI_Comm_group(node.handle(), &here));
  std::vector<bool> on_node;
  for (const auto& channel : channels) {
    int rank_here = MPI_UNDEFINED;
    check(MPI_Group_translate_ranks(all, 1, &channel.neighbour, here, &rank_here));
    on_node.push_back(rank_here != MPI_UNDEFINED);
  }
  check(MPI_Group_free(&here));
  check(MPI_Group_free(&all));
  return on_node;
}

/// Why this rank's device cannot map the memory; empty if it can.
std::string unavailable_reason_of(const PeerMemory::Handle& handle, int rank) {
  try {
    const MappedMemory mapped(handle, rank);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Leaves those of the channels whose ends map each other's memory. Gives why this rank could not
/// map a neighbour's.
std::string keep_mappable(const Communicator& communicator, const std::vector<Channel>& channels,
                          std::vector<bool>& near) {
  const PeerMemory memory(1);
  const auto handles = exchange_with_neighbours(communicator, channels,
                                                std::vector(channels.size(), memory.handle()));
  std::map<int, std::string>
      unavailable_reasons;  // of each neighbour: memory is mapped once at a time
  std::vector<char> mapped(channels.size());
  std::string first;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!near[c]) continue;
    const auto [unavailable, fresh] = unavailable_reasons.try_emplace(channels[c].neighbour);
    if (fresh) unavailable->second = unavailable_reason_of(handles[c], channels[c].neighbour);
    if (first.empty()) first = unavailable->second;
    mapped[c] = unavailable->second.empty();
  }
  const auto mapped_there = exchange_with_neighbours(
      communicator, channels, mapped);  // and nobody maps this rank's memory any more
  for (std::size_t c = 0; c < channels.size(); ++c)
    near[c] = mapped[c] != 0 && mapped_there[c] != 0;
  return first;
}

}  // namespace

ReachablePeers find_reachable_peers(const Communicator& communicator,
                                    const std::vector<Channel>& channels) {
  ReachablePeers found{on_this_node(communicator, channels), ""};
  if constexpr (!kernels_run_on_host) {
    const auto unavailable_reasons =
        communicator.gather(keep_mappable(communicator, channels, found.near));
    const auto first =
        std::ranges::find_if(unavailable_reasons, [](const auto& text) { return !text.empty(); });
    if (first != unavailable_reasons.end()) found.unavailable = *first;
  }
  return found;
}

}  // namespace halotherm::comm
