// SPDX-License-Identifier: MIT
#include "comm/transport.hpp"

#include "comm/message_layout.hpp"
#include "comm/peer_transport.hpp"
#include "comm/persistent_requests.hpp"

namespace halotherm::comm {

std::string_view name_of(TransportKind kind) {
  constexpr std::string_view names[] = {"device", "staged", "p2p"};  // in the order of the kinds
  return names[static_cast<int>(kind)];
}

namespace {

using Bytes = Kokkos::View<std::byte*, Memory>;
using HostBytes = Kokkos::View<std::byte*, PinnedMemory>;

/// Buffers in device memory; MPI sees the ones in `MpiMemory`, which are the same where that is the device's own memory.
template <class MpiBytes>
class MpiTransport final : public Transport {
 public:
  MpiTransport(TransportKind kind, const Communicator& communicator, const std::vector<Channel>& channels)
      : kind_(kind),
        layout_(channels),
        send_(Kokkos::view_alloc("halo send", Kokkos::WithoutInitializing), layout_.total()),
        receive_(Kokkos::view_alloc("halo receive", Kokkos::WithoutInitializing), layout_.total()),
        mpi_send_(mpi_side(send_)),
        mpi_receive_(mpi_side(receive_)) {
    for (std::size_t m = 0; m < channels.size(); ++m) {
      sends_.add_send(communicator, channels[m], mpi_send_.data() + layout_.start(m));
      receives_.add_receive(communicator, channels[m], mpi_receive_.data() + layout_.start(m));
    }
  }

  TransportKind kind() const override { return kind_; }
  void prepare(const Space&) override {}
  std::byte* send_buffer(std::size_t channel) override { return send_.data() + layout_.start(channel); }
  const std::byte* receive_buffer(std::size_t channel) override { return receive_.data() + layout_.start(channel); }
  void release(const Space&) override {}
  std::vector<int> awaited() const override { return receives_.awaited(); }

  /// On GPUs the host waits for the packing in `finish` only, so that the interior's kernels are launched meanwhile.
  void start(const Space& edge) override {
    if (layout_.total() == 0) return;
    if constexpr (is_staged) Kokkos::deep_copy(edge, mpi_send_, send_);
    if constexpr (kernels_run_on_host) exchange(edge);
  }

  void finish(const Space& edge) override {
    if (layout_.total() == 0) return;
    if constexpr (!kernels_run_on_host) exchange(edge);
    receives_.wait();
    if constexpr (is_staged) Kokkos::deep_copy(edge, receive_, mpi_receive_);
    sends_.wait();
  }

 private:
  static constexpr bool is_staged = !std::is_same_v<MpiBytes, Bytes>;

  /// The fence also tells that the work on the previous exchange's messages has ended.
  void exchange(const Space& edge) {
    edge.fence("halo packed");
    receives_.start();
    sends_.start();
  }

  static MpiBytes mpi_side(const Bytes& device) {
    if constexpr (is_staged) {
      return MpiBytes(Kokkos::view_alloc("halo staging", Kokkos::WithoutInitializing), device.size());
    } else {
      return device;
    }
  }

  TransportKind kind_;
  MessageLayout layout_;
  Bytes send_;
  Bytes receive_;
  MpiBytes mpi_send_;
  MpiBytes mpi_receive_;
  PersistentRequests sends_;
  PersistentRequests receives_;
};

}  // namespace

std::unique_ptr<Transport> make_transport(TransportKind kind, const Communicator& communicator,
                                          const std::vector<Channel>& channels) {
  if (kind == TransportKind::p2p) return make_peer_transport(communicator, channels);
  if (kind == TransportKind::device) return std::make_unique<MpiTransport<Bytes>>(kind, communicator, channels);
  return std::make_unique<MpiTransport<HostBytes>>(kind, communicator, channels);
}

}  // namespace halotherm::comm
