// SPDX-License-Identifier: MIT
// Ghost cells by MPI: the host sends packed messages and waits for the neighbours'.
#pragma once

#include "comm/transport/joined_channels.hpp"
#include "comm/transport/transport.hpp"

#include <string>
#include <type_traits>
#include <utility>

namespace halotherm::comm {

/// The common part of all transports by MPI, which send one message to each neighbour. A `Carrier`
/// owns the memory that MPI accesses, in a `Carrier::MemorySpace`, with messages in the order of a
/// MessageLayout, and moves them:
///
///     Carrier(communicator, channels, layout)      collective
///     outgoing()                                   view, written before `start`
///     incoming()                                   view of what arrived, until the next exchange
///     start()                                      non-blocking
///     wait_for_arrivals(), wait_for_sends()        blocking
///     awaited()                                    see Transport::awaited
///
/// If kernels cannot access that memory at full speed, messages are copied between it and device
/// memory.
template <class Carrier>
class MpiTransport final : public Transport {
 public:
  MpiTransport(const Communicator& communicator, const std::vector<Channel>& channels)
      : joined_(channels),
        carrier_(communicator, joined_.channels(), joined_.layout()),
        send_(device_side("halo send", carrier_.outgoing())),
        receive_(device_side("halo receive", carrier_.incoming())) {}

  void prepare(const Space&) override {}
  std::byte* send_buffer(std::size_t channel) override {
    return send_.data() + joined_.send_start(channel);
  }
  const std::byte* receive_buffer(std::size_t channel) override {
    return receive_.data() + joined_.receive_start(channel);
  }
  std::vector<int> awaited() const override { return carrier_.awaited(); }

  /// On GPUs the host waits for the packing in `finish` only, and launches the interior's kernels
  /// first.
  void start(const Space& edge) override {
    if (joined_.channels().empty()) return;
    sent_ = false;
    if constexpr (is_staged) Kokkos::deep_copy(edge, carrier_.outgoing(), send_);
    if constexpr (kernels_run_on_host) send(edge);
  }

  /// The fence also completes the work on the previous exchange's messages.
  void send(const Space& edge) override {
    if (std::exchange(sent_, true)) return;
    edge.fence("halo packed");
    carrier_.start();
  }

  void finish(const Space& edge) override {
    if (joined_.channels().empty()) return;
    send(edge);
    carrier_.wait_for_arrivals();
    if constexpr (is_staged) {
      Kokkos::deep_copy(edge, receive_, carrier_.incoming());
    } else {
      receive_ = carrier_.incoming();
    }
    carrier_.wait_for_sends();
  }

 private:
  using Bytes = Kokkos::View<std::byte*, Memory>;
  static constexpr bool is_staged = !std::is_same_v<typename Carrier::MemorySpace, Memory>;

  template <class CarrierBytes>
  static Bytes device_side(const std::string& label, const CarrierBytes& bytes) {
    if constexpr (is_staged) {
      return Bytes(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), bytes.size());
    } else {
      return bytes;
    }
  }

  JoinedChannels joined_;
  Carrier carrier_;
  Bytes send_;
  Bytes receive_;
  bool sent_ = true;  ///< the messages of the current exchange; true if there is none
};

}  // namespace halotherm::comm
