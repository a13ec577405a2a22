// SPDX-License-Identifier: MIT
#include "comm/transport.hpp"

#include "comm/persistent_requests.hpp"

#include <utility>

namespace halotherm::comm {

std::string_view name_of(TransportKind kind) {
  return kind == TransportKind::device ? "device" : "staged";
}

namespace {

using Bytes = Kokkos::View<std::byte*, Memory>;
using HostBytes = Kokkos::View<std::byte*, PinnedMemory>;

/// Where each channel's message lies in a common buffer, each on a boundary that suits 16-byte accesses and MPI's copies.
class Layout {
 public:
  explicit Layout(const std::vector<Channel>& channels) {
    constexpr std::size_t alignment = 256;
    for (const auto& channel : channels) {
      starts_.push_back(total_);
      const auto bytes = static_cast<std::size_t>(channel.elements) * static_cast<std::size_t>(channel.element_bytes);
      total_ += (bytes + alignment - 1) / alignment * alignment;
    }
  }
  std::size_t start(std::size_t channel) const { return starts_[channel]; }
  std::size_t total() const { return total_; }

 private:
  std::vector<std::size_t> starts_;
  std::size_t total_ = 0;
};

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
  std::byte* send_buffer(std::size_t channel) override { return send_.data() + layout_.start(channel); }
  const std::byte* receive_buffer(std::size_t channel) override { return receive_.data() + layout_.start(channel); }

  void start(const Space& edge) override {
    receives_.start();  // posted while the pack kernel still runs
    if constexpr (is_staged) Kokkos::deep_copy(edge, mpi_send_, send_);
    edge.fence("halo packed");
    sends_.start();
  }

  void finish(const Space& edge) override {
    receives_.wait();
    if constexpr (is_staged) Kokkos::deep_copy(edge, receive_, mpi_receive_);
    sends_.wait();
  }

 private:
  static constexpr bool is_staged = !std::is_same_v<MpiBytes, Bytes>;

  static MpiBytes mpi_side(const Bytes& device) {
    if constexpr (is_staged) {
      return MpiBytes(Kokkos::view_alloc("halo staging", Kokkos::WithoutInitializing), device.size());
    } else {
      return device;
    }
  }

  TransportKind kind_;
  Layout layout_;
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
  if (kind == TransportKind::device) return std::make_unique<MpiTransport<Bytes>>(kind, communicator, channels);
  return std::make_unique<MpiTransport<HostBytes>>(kind, communicator, channels);
}

}  // namespace halotherm::comm
