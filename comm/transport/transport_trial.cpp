// SPDX-License-Identifier: MIT
#include "comm/transport/transport_trial.hpp"

#include "comm/device/flagged_cells.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace halotherm::comm {

namespace {

constexpr int checked_exchanges = 4;  // twice each half of alternating buffers
constexpr Repeats timed_exchanges{.timings = 5, .calls = 10, .warm_ups = 0};
constexpr auto label = "transport trial";

/// Values that differ between the elements of all messages.
struct Pattern {
  std::uint64_t seed;
  template <class Element>
  KOKKOS_INLINE_FUNCTION Element at(std::int64_t n) const {
    return static_cast<Element>((static_cast<std::uint64_t>(n) + seed) * 0x9e3779b97f4a7c15u >>
                                (64 - 8 * sizeof(Element)));
  }
};

Pattern pattern_of(int sender, int tag, int exchange) {
  return {static_cast<std::uint64_t>((sender * 64 + tag) * 16 + exchange) << 32};
}

template <class Element>
struct Write {
  Element* message[BoxList::capacity];
  Pattern pattern[BoxList::capacity];
  KOKKOS_INLINE_FUNCTION void operator()(int channel, std::int64_t n, int, int, int) const {
    message[channel][n] = pattern[channel].at<Element>(n);
  }
};

template <class Element>
struct CountWrong {
  const Element* message[BoxList::capacity];
  Pattern pattern[BoxList::capacity];
  std::int64_t* wrong;
  KOKKOS_INLINE_FUNCTION void operator()(int channel, std::int64_t n, int, int, int) const {
    if (message[channel][n] != pattern[channel].at<Element>(n)) Kokkos::atomic_inc(wrong);
  }
};

/// One row of cells per message, of at most `most` elements, for one kernel as in an exchange.
BoxList rows_of(const std::vector<Channel>& channels, int most) {
  std::vector<Box> rows;
  for (const auto& channel : channels)
    rows.push_back({{0, 0, 0}, {std::min(channel.elements, most), 1, 1}});
  return BoxList(rows);
}

/// A trial of one transport with the channels' messages.
template <class Element>
class Trial {
 public:
  Trial(std::unique_ptr<Transport> transport, const Communicator& communicator,
        const std::vector<Channel>& channels)
      : communicator_(communicator),
        channels_(channels),
        whole_(rows_of(channels, std::numeric_limits<int>::max())),
        firsts_(rows_of(channels, 1)),
        transport_(std::move(transport)) {}

  /// Collective. The number of wrong elements on all ranks.
  std::int64_t wrong_elements() {
    for (int exchange = 0; exchange < checked_exchanges; ++exchange) {
      exchange_once(exchange, whole_);
    }
    std::int64_t wrong = 0;
    Kokkos::deep_copy(space_, wrong, wrong_);
    space_.fence("transport trial");
    return communicator_.sum(wrong);
  }

  /// Collective. Includes the packing, which is all that p2p does. The kernels read one element of
  /// each message.
  double seconds_of_exchange() {
    int exchange = 0;
    return best_time(
        communicator_, timed_exchanges,
        [&] { exchange_once(exchange++ % timed_exchanges.calls, firsts_); },
        [&] { space_.fence("transport trial"); });
  }

 private:
  void exchange_once(int number, const BoxList& read) {
    transport_->prepare(space_);
    if (!transport_->host_takes_part()) {
      return launch_flagged(space_, label, sending(transport_->signals(), whole_, outgoing(number)),
                            receiving(transport_->waits(), read, incoming(number)));
    }
    send(space_, label, sending(transport_->signals(), whole_, outgoing(number)));
    transport_->start(space_);
    transport_->finish(space_);
    receive(space_, label, receiving(transport_->waits(), read, incoming(number)));
  }

  Write<Element> outgoing(int exchange) const {
    Write<Element> body{};
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      body.message[c] = reinterpret_cast<Element*>(transport_->send_buffer(c));
      body.pattern[c] = pattern_of(communicator_.rank(), channels_[c].send_tag, exchange);
    }
    return body;
  }

  CountWrong<Element> incoming(int exchange) const {
    CountWrong<Element> body{};
    body.wrong = wrong_.data();
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      body.message[c] = reinterpret_cast<const Element*>(transport_->receive_buffer(c));
      body.pattern[c] = pattern_of(channels_[c].neighbour, channels_[c].receive_tag, exchange);
    }
    return body;
  }

  const Communicator& communicator_;
  const std::vector<Channel>& channels_;
  BoxList whole_;   ///< every element of the messages
  BoxList firsts_;  ///< the first one of each
  Space space_;
  Kokkos::View<std::int64_t, Memory> wrong_{"wrong elements"};
  std::unique_ptr<Transport> transport_;
};

/// Collective. Calls `work` with a value of the elements' type, which all channels of all ranks
/// have in common.
template <class Work>
auto with_element_type(const Communicator& communicator, const std::vector<Channel>& channels,
                       const Work& work) {
  const int bytes = channels.empty() ? 0 : channels.front().element_bytes;
  return communicator.max(bytes) > 4 ? work(std::uint64_t{}) : work(std::uint32_t{});
}

TransportTrial try_transport(TransportKind kind, const Communicator& communicator,
                             const std::vector<Channel>& channels) {
  try {
    return with_element_type(communicator, channels, [&](auto element) -> TransportTrial {
      auto transport = make_transport(kind, communicator, channels);
      Trial<decltype(element)> trial(std::move(transport), communicator, channels);
      const auto wrong = trial.wrong_elements();
      if (wrong == 0) return {kind, {}, trial.seconds_of_exchange()};
      const auto text = std::to_string(wrong) + " elements arrived wrong";
      return {kind, UnavailableReason::wrong_data(text), 0};
    });
  } catch (const CollectiveError& error) {
    return {kind, {UnavailableReason::Kind::unavailable, error.what(), error.reason()}, 0};
  }
}

}  // namespace

std::vector<TransportTrial> try_transports(const Communicator& communicator,
                                           const std::vector<Channel>& channels,
                                           std::span<const TransportKind> kinds) {
  std::vector<TransportTrial> trials;
  for (const auto kind : kinds) trials.push_back(try_transport(kind, communicator, channels));
  return trials;
}

bool nccl_works(const Communicator& communicator) {
  const std::array nccl{TransportKind::nccl};
  return !try_transports(communicator, {}, nccl).front().unavailable.exists();
}

double seconds_of_exchange(const Communicator& communicator, const std::vector<Channel>& channels,
                           const std::vector<TransportKind>& kinds) {
  return with_element_type(communicator, channels, [&](auto element) {
    auto transport = make_transport(kinds, communicator, channels);
    return Trial<decltype(element)>(std::move(transport), communicator, channels)
        .seconds_of_exchange();
  });
}

const TransportTrial& fastest(const std::vector<TransportTrial>& trials) {
  return *std::ranges::min_element(trials, {}, [](const auto& trial) {
    return std::pair(trial.unavailable.exists(), trial.seconds);
  });
}

}  // namespace halotherm::comm
