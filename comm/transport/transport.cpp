// SPDX-License-Identifier: MIT
#include "comm/transport/transport.hpp"

#include "comm/mpi/error.hpp"
#include "comm/transport/mpi_transport.hpp"
#include "comm/transport/nccl_transport.hpp"
#include "comm/transport/peer_transport.hpp"
#include "comm/transport/persistent_requests.hpp"
#include "comm/transport/rma_transport.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace halotherm::comm {

namespace {

constexpr std::array<std::string_view, 5> kind_names{"p2p", "device", "staged", "rma", "nccl"};

[[noreturn]] void report_no_cuda(TransportKind kind) {
  throw CollectiveError(ExitCode::usage,
                        {"parallel.transport: " + std::string(name_of(kind)) + " cannot be used",
                         "this program has no CUDA", "set it to auto, device, staged or rma"});
}

/// Moves messages between buffers in `Space`, which is host memory or, with a GPU-aware MPI, the
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
  void wait_for_arrivals() { receives_.wait(); }
  void wait_for_sends() { sends_.wait(); }
  /// The sends count too: MPI completes large ones only when the neighbour receives them.
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

/// One transport for each kind in use, with the channels of that kind. One kernel packs for all of
/// them, and one unpacks. All messages are sent before the host waits for the first.
class MixedTransport final : public Transport {
 public:
  MixedTransport(const std::vector<TransportKind>& used, const std::vector<TransportKind>& kinds,
                 const Communicator& communicator, const std::vector<Channel>& channels)
      : routes_(channels.size()) {
    for (const auto kind : used) {
      std::vector<Channel> of_kind;
      for (std::size_t c = 0; c < channels.size(); ++c) {
        if (kinds[c] != kind) continue;
        routes_[c] = {transports_.size(), of_kind.size()};
        of_kind.push_back(channels[c]);
      }
      transports_.push_back(make_transport(kind, communicator, of_kind));
      if (kind == TransportKind::p2p) flagged_ = transports_.back().get();
    }
  }

  void prepare(const Space& edge) override {
    for (auto& transport : transports_) transport->prepare(edge);
  }
  std::byte* send_buffer(std::size_t channel) override {
    const auto [transport, index] = routes_[channel];
    return transports_[transport]->send_buffer(index);
  }
  Signals signals() const override { return flagged_ ? flagged_->signals() : Signals{}; }
  Waits waits() const override { return flagged_ ? flagged_->waits() : Waits{}; }
  void start(const Space& edge) override {
    for (auto& transport : transports_) transport->start(edge);
  }
  void send(const Space& edge) override {
    for (auto& transport : transports_) transport->send(edge);
  }
  void finish(const Space& edge) override {
    send(edge);
    for (auto& transport : transports_) transport->finish(edge);
  }
  const std::byte* receive_buffer(std::size_t channel) override {
    const auto [transport, index] = routes_[channel];
    return transports_[transport]->receive_buffer(index);
  }
  std::vector<int> awaited() const override {
    std::vector<int> ranks;
    for (const auto& transport : transports_)
      std::ranges::copy(transport->awaited(), std::back_inserter(ranks));
    return ranks;
  }

 private:
  struct Route {
    std::size_t transport = 0;
    std::size_t channel = 0;  ///< of that transport
  };

  std::vector<std::unique_ptr<Transport>> transports_;
  Transport* flagged_ = nullptr;  ///< the p2p transport, the only kind with signals and waits
  std::vector<Route> routes_;     ///< of the channels
};

/// Collective. The kinds that any rank uses, since all ranks take part in making each transport.
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

std::string_view name_of(UnavailableReason::Kind kind) {
  constexpr std::string_view names[] = {"none", "unavailable", "wrong data"};
  return names[static_cast<int>(kind)];
}

std::unique_ptr<Transport> make_transport(TransportKind kind, const Communicator& communicator,
                                          const std::vector<Channel>& channels) {
  switch (kind) {
    case TransportKind::device:
      return std::make_unique<MpiTransport<MessageCarrier<Memory>>>(communicator, channels);
    case TransportKind::p2p:
      if constexpr (!kernels_run_on_host) return make_peer_transport(communicator, channels);
      report_no_cuda(kind);
    case TransportKind::nccl:
      if constexpr (!kernels_run_on_host) return make_nccl_transport(communicator, channels);
      report_no_cuda(kind);
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
  if (used.size() > 1) return std::make_unique<MixedTransport>(used, kinds, communicator, channels);
  return make_transport(used.empty() ? TransportKind::staged : used.front(), communicator,
                        channels);
}

}  // namespace halotherm::comm
