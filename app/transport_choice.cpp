// SPDX-License-Identifier: MIT
#include "app/transport_choice.hpp"

#include "comm/device_pointers.hpp"
#include "comm/error.hpp"
#include "comm/message_layout.hpp"

#include <algorithm>

namespace halotherm::app {

using comm::TransportKind;

namespace {

/// The kinds to try, and what is known of those that must not be tried.
struct Candidates {
  std::vector<TransportKind> kinds;
  std::vector<comm::TransportTrial> excluded;
};

std::size_t largest_message(const std::vector<comm::Channel>& channels) {
  std::size_t largest = 0;
  for (const auto& channel : channels) largest = std::max(largest, bytes_of(channel));
  return largest;
}

Candidates candidates(const comm::Communicator& world, TransportChoice choice, const std::vector<comm::Channel>& channels) {
  if (choice == TransportChoice::staged) return {{TransportKind::staged}, {}};
  if (choice == TransportChoice::p2p) return {{TransportKind::p2p}, {}};
  const auto obstacle = comm::obstacle_to_device_pointers(world, largest_message(channels));
  if (choice == TransportChoice::device) {
    if (obstacle.empty()) return {{TransportKind::device}, {}};
    throw comm::CollectiveError(comm::ExitCode::usage, "parallel.transport: device cannot be used (" + obstacle +
                                                           ") set it to auto, p2p or staged, or use a GPU-aware MPI");
  }
  if (!obstacle.empty()) return {{TransportKind::p2p, TransportKind::staged}, {{TransportKind::device, obstacle, 0}}};
  return {{TransportKind::p2p, TransportKind::device, TransportKind::staged}, {}};
}

}  // namespace

ChosenTransport choose_transport(const comm::Communicator& world, TransportChoice choice,
                                 const std::vector<comm::Channel>& channels) {
  const bool alone = world.sum(static_cast<std::int64_t>(channels.size())) == 0;
  const bool asks_for_p2p = choice == TransportChoice::p2p;
  if ((alone || comm::kernels_run_on_host) && !asks_for_p2p) {
    return {choice == TransportChoice::staged ? TransportKind::staged : TransportKind::device, {}};
  }
  auto [kinds, excluded] = candidates(world, choice, channels);
  auto trials = comm::try_transports(world, channels, kinds);
  const auto& best = fastest(trials);
  if (!best.obstacle.empty()) throw comm::CollectiveError(comm::ExitCode::usage, best.obstacle);
  const auto kind = best.kind;
  trials.insert(trials.end(), excluded.begin(), excluded.end());
  return {kind, std::move(trials)};
}

}  // namespace halotherm::app
