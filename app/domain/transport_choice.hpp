// SPDX-License-Identifier: MIT
// Chooses the transport of ghost cells: as configured, or the fastest in a trial.
#pragma once

#include "app/config/config.hpp"
#include "comm/transport/transport_trial.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace halotherm::app {

/// Channels that are tried together and use the same transport.
enum class ChannelClass {
  peer_accessible,  ///< between ranks of a node that can map each other's memory
                    ///< (comm/transport/peer_reachability.hpp)
  remote,           ///< between all others
  hostbound,        ///< remote ones with an end on a node where MPI takes no device pointers
  all,              ///< where the configuration names a transport, or nothing is tried
};
std::string_view name_of(ChannelClass channels);

struct TransportOfClass {
  ChannelClass channels = ChannelClass::all;
  comm::TransportKind kind = comm::TransportKind::staged;
  /// of those that were tried, on the run's own messages
  std::vector<comm::TransportTrial> trials;
};

struct ChosenTransport {
  /// those that any rank has channels of; the same on all ranks
  std::vector<TransportOfClass> classes;
  std::vector<comm::TransportKind> kinds;  ///< of each of this rank's channels

  /// Why a transport that was tried is unavailable; empty if it works.
  std::string unavailable_reason_of(comm::TransportKind kind) const;
};

/// "p2p", or "p2p + device" where peer-accessible and remote channels differ.
std::string to_string(const ChosenTransport& transport);

/// Facts about a job's channels before any trial.
struct ChannelFacts {
  std::vector<ChannelClass> channels;  ///< this rank's
  std::vector<ChannelClass> classes;   ///< those that any rank has
  std::string p2p_unavailable;     ///< on remote channels within a node; empty if there are none
  std::string device_unavailable;  ///< why MPI must not be given device pointers; empty if it may
  bool device_somewhere = false;   ///< nevertheless it may on the nodes of the class `remote`
  int ranks = 1;
};

/// Collective. Tries some transports on the channels of one class.
using TryTransports = std::function<std::vector<comm::TransportTrial>(
    ChannelClass, std::span<const comm::TransportKind>)>;

/// The most ranks that `auto` tries `rma` and `nccl` on, whose set-up is collective over all of
/// them.
inline constexpr int most_ranks_of_collective_setup = 1024;

/// The fastest transport that works for each class by itself. `rma` is tried only where `device`
/// does not work; `nccl`, whose set-up takes some tenths of a second, only between ranks that
/// cannot map each other's memory. Throws CollectiveError (usage) if none works.
ChosenTransport choose_fastest(const ChannelFacts& facts, const TryTransports& attempt);

/// Collective. The configured transport, once its messages have been seen to arrive; `auto` takes
/// the fastest that works, for each class of channels by itself. Where kernels
/// run in host memory `auto` tries nothing: those that work are much the same. Throws
/// CollectiveError (usage) if the configured one does not work.
ChosenTransport choose_transport(const comm::Communicator& world, TransportChoice choice,
                                 const std::vector<comm::Channel>& channels);

/// Collective. What a further exchange of the same ranks takes on each of its channels: the
/// transport that was chosen for all, or for channels between ranks that can map each other's
/// memory; `staged` on others.
std::vector<comm::TransportKind> kinds_for(const comm::Communicator& world,
                                           const ChosenTransport& chosen,
                                           const std::vector<comm::Channel>& channels);

}  // namespace halotherm::app
