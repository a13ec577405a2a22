// SPDX-License-Identifier: MIT
#include "app/domain/transport_choice.hpp"

#include "comm/mpi/error.hpp"
#include "comm/system/activity.hpp"
#include "comm/transport/channel.hpp"
#include "comm/transport/device_pointers.hpp"
#include "comm/transport/peer_reachability.hpp"

#include <algorithm>

namespace halotherm::app {

using comm::TransportKind;

namespace {

std::string device_unavailable(const comm::Communicator& world,
                               const std::vector<comm::Channel>& channels) {
  std::size_t largest = 0;
  for (const auto& channel : channels) largest = std::max(largest, bytes_of(channel));
  return comm::device_pointers_unavailable(world, largest);
}

void require_device_pointers(const comm::Communicator& world,
                             const std::vector<comm::Channel>& channels) {
  const auto unavailable = device_unavailable(world, channels);
  if (unavailable.empty()) return;
  throw comm::CollectiveError(comm::ExitCode::usage,
                              {"parallel.transport: device cannot be used", unavailable,
                               "set it to auto, p2p, staged or rma, or use a GPU-aware MPI"});
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
  consider(TransportKind::device, facts.device_unavailable);
  consider(TransportKind::staged, "");
  consider(TransportKind::rma, "");
  auto chosen = fastest_of(channels, attempt(channels, kinds));
  chosen.trials.insert(chosen.trials.end(), excluded.begin(), excluded.end());
  return chosen;
}

ChannelFacts facts_of(const comm::Communicator& world, const std::vector<comm::Channel>& channels) {
  ChannelFacts facts;
  const auto found = comm::find_reachable_peers(world, channels);
  for (const bool accessible : found.accessible)
    facts.channels.push_back(accessible ? ChannelClass::peer_accessible : ChannelClass::remote);
  for (const auto some : {ChannelClass::peer_accessible, ChannelClass::remote}) {
    if (world.any(std::ranges::count(facts.channels, some) > 0)) facts.classes.push_back(some);
  }
  facts.p2p_unavailable = found.unavailable_reason;
  facts.device_unavailable = device_unavailable(world, channels);
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
  constexpr std::string_view names[] = {"peer-accessible", "remote",
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
  const bool may_fail = choice == TransportChoice::p2p || choice == TransportChoice::rma;
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

}  // namespace halotherm::app
