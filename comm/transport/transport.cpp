// SPDX-License-Identifier: MIT
#include "comm/transport/transport.hpp"

#include "comm/device/execution.hpp"
#include "comm/mpi/error.hpp"
#include "comm/transport/mixed_transport.hpp"
#include "comm/transport/mpi_transport.hpp"
#include "comm/transport/peer_transport.hpp"
#include "comm/transport/persistent_requests.hpp"
#include "comm/transport/rma_transport.hpp"

#include <array>

namespace halotherm::comm {

namespace {

constexpr std::array<std::string_view, 4> kind_names{"p2p", "device", "staged",
                                                     "rma"};  // in the order of the kinds

/// Messages from and to buffers in `Space`, which is host memory or, where MPI takes it, the
/// device's.
template <class Space>
class MessageCarrier {
 public:
  using MemorySpace = Space;

  MessageCarrier(const Communicator& communicator, const std::vector<Channel>& channels,
                 const MessageLayout& layout)
      : outgoing_(Kokkos::view_alloc("halo outgoing", Kokkos::WithoutInitializing), layout.total()),
        incoming_(Kokkos::view_alloc("halo incoming", Kokkos::WithoutInitializing),
                  layout.total()) {
    for (std::size_t c = 0; c < channels.size(); ++c) {
      sends_.add_send(communicator, channels[c], outgoing_.data() + layout.start(c));
      receives_.add_receive(communicator, channels[c], incoming_.data() + layout.start(c));
    }
  }

  const auto& outgoing() const { return outgoing_; }
  const auto& incoming() const { return incoming_; }

  void start() {
    receives_.start();
    sends_.start();
  }
  void await_arrivals() { receives_.wait(); }
  void await_departures() { sends_.wait(); }
  /// Messages above MPI's limit for sending at once depart only when the neighbour takes them.
  std::vector<int> awaited() const {
    const auto senders = receives_.awaited();
    return senders.empty() ? sends_.awaited() : senders;
  }

 private:
  Kokkos::View<std::byte*, MemorySpace> outgoing_;
  Kokkos::View<std::byte*, MemorySpace> incoming_;
  PersistentRequests sends_;
  PersistentRequests receives_;
};

/// Those that any rank has, in their order.
std::vector<TransportKind> used_kinds(const Communicator& communicator,
                                      const std::vector<TransportKind>& kinds) {
  std::array<std::int64_t, kind_names.size()> uses{};
  for (const auto kind : kinds) uses[static_cast<std::size_t>(kind)] = 1;
  communicator.max(uses);
  std::vector<TransportKind> used;
  for (std::size_t kind = 0; kind < uses.size(); ++kind) {
    if (uses[kind] > 0) used.push_back(static_cast<TransportKind>(kind));
  }
  return used;
}

}  // namespace

std::string_view name_of(TransportKind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

std::unique_ptr<Transport> make_transport(TransportKind kind, const Communicator& communicator,
                                          const std::vector<Channel>& channels) {
  switch (kind) {
    case TransportKind::device:
      return std::make_unique<MpiTransport<MessageCarrier<Memory>>>(communicator, channels);
    case TransportKind::p2p:
      if constexpr (kernels_run_on_host) {
        throw CollectiveError(ExitCode::usage, Problem{"parallel.transport: p2p cannot be used",
                                                       "this program has no CUDA",
                                                       "set it to auto, device, staged or rma"});
      } else {
        return make_peer_transport(communicator, channels);
      }
    case TransportKind::rma:
      return make_rma_transport(communicator, channels);
    case TransportKind::staged:
      break;
  }
  return std::make_unique<MpiTransport<MessageCarrier<PinnedMemory>>>(communicator, channels);
}

std::unique_ptr<Transport> make_transport(const std::vector<TransportKind>& kinds,
                                          const Communicator& communicator,
                                          const std::vector<Channel>& channels) {
  const auto used = used_kinds(communicator, kinds);
  if (used.size() > 1) return make_mixed_transport(used, kinds, communicator, channels);
  return make_transport(used.empty() ? TransportKind::staged : used.front(), communicator,
                        channels);
}

}  // namespace halotherm::comm
