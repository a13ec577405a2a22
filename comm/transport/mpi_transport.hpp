// SPDX-License-Identifier: MIT
// Ghost cells by MPI: the host lets packed messages go and waits for those of the neighbours.
#pragma once

#include "comm/transport/message_layout.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace halotherm::comm {

/// What all ways through MPI have in common. A `Carrier` owns the memory that MPI sees, in a
/// `Carrier::MemorySpace`, where messages lie as a MessageLayout says, and moves them:
///
///     Carrier(communicator, channels, layout)      collective
///     outgoing(), incoming()                       views: to be written before `start`; as they
///     arrived, until the next exchange start(), await_arrivals(), await_departures(), awaited()
///
/// Where kernels cannot use that memory at full speed, messages are copied between it and buffers
/// of the device's.
template <class Carrier>
class MpiTransport final : public Transport {
 public:
  MpiTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : layout_(channels),
        carrier_(communicator, channels, layout_),
        send_(device_side("halo send", carrier_.outgoing())),
        receive_(device_side("halo receive", carrier_.incoming())) {}

  void prepare(const Space&) override {}
  std::byte* send_buffer(std::size_t channel) override {
    return send_.data() + layout_.start(channel);
  }
  const std::byte* receive_buffer(std::size_t channel) override {
    return receive_.data() + layout_.start(channel);
  }
  std::vector<int> awaited() const override { return carrier_.awaited(); }

  /// On GPUs the host waits for the packing in `finish` only, so that the interior's kernels are
  /// launched meanwhile.
  void start(const Space& edge) override {
    if (layout_.total() == 0) return;
    departed_ = false;
    if constexpr (is_staged) Kokkos::deep_copy(edge, carrier_.outgoing(), send_);
    if constexpr (kernels_run_on_host) depart(edge);
  }

  /// The fence also tells that the work on the previous exchange's messages has ended.
  void depart(const Space& edge) override {
    if (std::exchange(departed_, true)) return;
    edge.fence("halo packed");
    carrier_.start();
  }

  void finish(const Space& edge) override {
    if (layout_.total() == 0) return;
    depart(edge);
    carrier_.await_arrivals();
    if constexpr (is_staged) {
      Kokkos::deep_copy(edge, receive_, carrier_.incoming());
    } else {
      receive_ = carrier_.incoming();
    }
    carrier_.await_departures();
  }

 private:
  using Bytes = Kokkos::View<std::byte*, Memory>;
  static constexpr bool is_staged = !std::is_same_v<typename Carrier::MemorySpace, Memory>;

  template <class CarriersBytes>
  static Bytes device_side(const std::string& label, const CarriersBytes& bytes) {
    if constexpr (is_staged) {
      return Bytes(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), bytes.size());
    } else {
      return bytes;
    }
  }

  MessageLayout layout_;
  Carrier carrier_;
  Bytes send_;
  Bytes receive_;
  bool departed_ = true;  ///< the messages of the exchange under way, if there is one
};

}  // namespace halotherm::comm
