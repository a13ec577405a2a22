// SPDX-License-Identifier: MIT
#include "app/domain/transport_choice.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "comm/transport/channel.hpp"
#include "comm/transport/device_pointers.hpp"
#include "comm/transport/peer_reachability.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace halotherm::app {

using comm::TransportKind;

namespace {

void require_device_pointers(const comm::Communicator& world,
                             const std::vector<comm::Channel>& channels) {
  const auto unavailable = comm::find_device_pointers(world, channels).unavailable;
  if (unavailable.empty()) return;
  throw comm::CollectiveError(comm::ExitCode::usage,
                              {"parallel.transport: device cannot be used", unavailable,
                               "set it to auto, p2p, nccl, staged or rma, or use a GPU-aware MPI"});
}

TransportOfClass fastest_of(ChannelClass channels, std::vector<comm::TransportTrial> trials) {
  const auto& best = fastest(trials);
  if (best.unavailable.exists())
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {"parallel.transport: " + std::string(name_of(best.kind)) + " cannot be used",
         best.unavailable.reason, "set it to auto or to another transport"});
  const auto kind = best.kind;
  return {channels, kind, std::move(trials)};
}

/// Peer-accessible channels do without if any node does.
bool has_device(ChannelClass channels, const ChannelFacts& facts) {
  return facts.device_unavailable.empty() ||
         (channels == ChannelClass::remote && facts.device_somewhere);
}

TransportOfClass choose_for(ChannelClass channels, const ChannelFacts& facts,
                            const TryTransports& attempt) {
  std::vector<TransportKind> kinds;
  std::vector<comm::TransportTrial> excluded;
  const auto consider = [&](TransportKind kind, const std::string& unavailable) {
    if (unavailable.empty()) {
      kinds.push_back(kind);
    } else {
      excluded.push_back({kind, comm::UnavailableReason::unavailable(unavailable), 0});
    }
  };
  if (channels == ChannelClass::peer_accessible) {
    consider(TransportKind::p2p, "");
  } else if (!facts.p2p_unavailable.empty()) {
    consider(TransportKind::p2p, facts.p2p_unavailable);
  }
  consider(TransportKind::device, has_device(channels, facts) ? "" : facts.device_unavailable);
  consider(TransportKind::staged, "");
  if (channels != ChannelClass::peer_accessible && facts.ranks <= most_ranks_of_collective_setup)
    consider(TransportKind::nccl, "");
  auto trials = attempt(channels, kinds);
  const auto works = [](const auto& trial) {
    return trial.kind == TransportKind::device && !trial.unavailable.exists();
  };
  if (std::ranges::none_of(trials, works) && facts.ranks <= most_ranks_of_collective_setup)
    std::ranges::copy(attempt(channels, std::array{TransportKind::rma}),
                      std::back_inserter(trials));
  auto chosen = fastest_of(channels, std::move(trials));
  chosen.trials.insert(chosen.trials.end(), excluded.begin(), excluded.end());
  return chosen;
}

ChannelFacts facts_of(const comm::Communicator& world, const std::vector<comm::Channel>& channels) {
  ChannelFacts facts;
  const auto found = comm::find_reachable_peers(world, channels);
  const auto pointers = comm::find_device_pointers(world, channels);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const bool hostbound = pointers.anywhere && !pointers.of_neighbours[c];
    facts.channels.push_back(found.accessible[c] ? ChannelClass::peer_accessible
                             : hostbound         ? ChannelClass::hostbound
                                                 : ChannelClass::remote);
  }
  for (const auto some :
       {ChannelClass::peer_accessible, ChannelClass::remote, ChannelClass::hostbound}) {
    if (world.any(std::ranges::count(facts.channels, some) > 0)) facts.classes.push_back(some);
  }
  facts.p2p_unavailable = found.unavailable_reason;
  facts.device_unavailable = pointers.unavailable;
  facts.device_somewhere = pointers.anywhere;
  facts.ranks = world.size();
  return facts;
}

/// That a choice names which is not `automatic`.
TransportKind kind_of(TransportChoice choice) {
  switch (choice) {
    case TransportChoice::p2p:
      return TransportKind::p2p;
    case TransportChoice::device:
      return TransportKind::device;
    case TransportChoice::rma:
      return TransportKind::rma;
    case TransportChoice::nccl:
      return TransportKind::nccl;
    default:
      return TransportKind::staged;
  }
}

/// One for all channels.
ChosenTransport uniform(TransportOfClass one, std::size_t channels) {
  const auto kind = one.kind;
  return {{std::move(one)}, std::vector(channels, kind)};
}

}  // namespace

std::string_view name_of(ChannelClass channels) {
  constexpr std::string_view names[] = {"peer-accessible", "remote", "remote by the host",
                                        "all"};  // in the order of the classes
  return names[static_cast<int>(channels)];
}

std::string to_string(const ChosenTransport& transport) {
  std::string text;
  for (const auto& of_class : transport.classes) {
    const auto name = std::string(name_of(of_class.kind));
    if (text != name) text += (text.empty() ? "" : " + ") + name;
  }
  return text;
}

std::string ChosenTransport::unavailable_reason_of(TransportKind kind) const {
  for (const auto& of_class : classes) {
    for (const auto& trial : of_class.trials) {
      if (trial.kind == kind && trial.unavailable.exists()) return trial.unavailable.text;
    }
  }
  return "";
}

ChosenTransport choose_fastest(const ChannelFacts& facts, const TryTransports& attempt) {
  ChosenTransport chosen;
  for (const auto channels : facts.classes)
    chosen.classes.push_back(choose_for(channels, facts, attempt));
  for (const auto channel : facts.channels) {
    chosen.kinds.push_back(
        std::ranges::find(chosen.classes, channel, &TransportOfClass::channels)->kind);
  }
  return chosen;
}

ChosenTransport choose_transport(const comm::Communicator& world, TransportChoice choice,
                                 const std::vector<comm::Channel>& channels) {
  const comm::Activity activity("choosing how ghost cells travel");
  const bool alone = world.sum(static_cast<std::int64_t>(channels.size())) == 0;
  const bool may_fail = choice == TransportChoice::p2p || choice == TransportChoice::rma ||
                        choice == TransportChoice::nccl;
  if ((alone || comm::kernels_run_on_host) && !may_fail) {
    const auto kind =
        choice == TransportChoice::staged ? TransportKind::staged : TransportKind::device;
    return uniform({ChannelClass::all, kind, {}}, channels.size());
  }
  if (choice == TransportChoice::automatic) {
    const auto facts = facts_of(world, channels);
    return choose_fastest(facts, [&](ChannelClass some, std::span<const TransportKind> kinds) {
      std::vector<comm::Channel> of_class;
      for (std::size_t c = 0; c < channels.size(); ++c) {
        if (facts.channels[c] == some) of_class.push_back(channels[c]);
      }
      return comm::try_transports(world, of_class, kinds);
    });
  }
  const TransportKind configured[] = {kind_of(choice)};
  if (choice == TransportChoice::device) require_device_pointers(world, channels);
  return uniform(fastest_of(ChannelClass::all, comm::try_transports(world, channels, configured)),
                 channels.size());
}

std::vector<TransportKind> kinds_for(const comm::Communicator& world, const ChosenTransport& chosen,
                                     const std::vector<comm::Channel>& channels) {
  const auto all =
      std::ranges::find(chosen.classes, ChannelClass::all, &TransportOfClass::channels);
  if (all != chosen.classes.end() && all->kind != TransportKind::p2p)
    return std::vector(channels.size(), all->kind);
  std::vector kinds(channels.size(), TransportKind::staged);
  const auto peers =
      std::ranges::find(chosen.classes, ChannelClass::peer_accessible, &TransportOfClass::channels);
  if (all == chosen.classes.end() && peers == chosen.classes.end()) return kinds;
  const auto kind = all != chosen.classes.end() ? all->kind : peers->kind;
  const auto accessible = comm::find_reachable_peers(world, channels).accessible;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (accessible[c]) kinds[c] = kind;
  }
  return kinds;
}

}  // namespace halotherm::app
