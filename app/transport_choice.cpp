// SPDX-License-Identifier: MIT
#include "app/transport_choice.hpp"

#include "comm/environment.hpp"
#include "comm/error.hpp"

namespace halotherm::app {

using comm::TransportKind;

namespace {

std::vector<TransportKind> candidates(TransportChoice choice) {
  const bool device = comm::mpi_claims_device_support();  // else a device pointer may crash the library
  switch (choice) {
    case TransportChoice::staged: return {TransportKind::staged};
    case TransportChoice::p2p: return {TransportKind::p2p};
    case TransportChoice::device:
      if (device) return {TransportKind::device};
      throw comm::CollectiveError(comm::ExitCode::usage,
                                  "parallel.transport: device cannot be used (" + comm::mpi_library() +
                                      " says that it takes no device pointers) set it to auto, p2p or staged, or use a GPU-aware MPI");
    case TransportChoice::automatic: break;
  }
  if constexpr (comm::kernels_run_on_host) return {TransportKind::device};
  if (!device) return {TransportKind::p2p, TransportKind::staged};
  return {TransportKind::p2p, TransportKind::device, TransportKind::staged};
}

}  // namespace

ChosenTransport choose_transport(const comm::Communicator& world, TransportChoice choice,
                                 const std::vector<comm::Channel>& channels) {
  const auto kinds = candidates(choice);
  const bool alone = world.sum(static_cast<std::int64_t>(channels.size())) == 0;
  if (alone) return {kinds.back(), {}};
  if (comm::kernels_run_on_host && kinds.front() != TransportKind::p2p) return {kinds.front(), {}};
  auto trials = comm::try_transports(world, channels, kinds);
  const auto& best = fastest(trials);
  if (!best.obstacle.empty()) throw comm::CollectiveError(comm::ExitCode::usage, best.obstacle);
  const auto kind = best.kind;
  return {kind, std::move(trials)};
}

}  // namespace halotherm::app
