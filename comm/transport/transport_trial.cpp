// SPDX-License-Identifier: MIT
#include "comm/transport/transport_trial.hpp"

#include "comm/device/flagged_cells.hpp"
#include "comm/mpi/error.hpp"
#include "comm/system/best_time.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace halotherm::comm {

namespace {

constexpr int checked_exchanges = 4;  // each buffer twice, where they take turns
constexpr Repeats timed_exchanges{
    .timings = 5, .calls = 10, .warm_ups = 0};  // after the checked ones
constexpr auto label = "transport trial";

/// Different for every element of every message.
struct Pattern {
  std::uint64_t seed;
  template <class Word>
  KOKKOS_INLINE_FUNCTION Word at(std::int64_t n) const {
    return static_cast<Word>((static_cast<std::uint64_t>(n) + seed) * 0x9e3779b97f4a7c15u >>
                             (64 - 8 * sizeof(Word)));
  }
};

Pattern pattern_of(int sender, int tag, int exchange) {
  return {static_cast<std::uint64_t>((sender * 64 + tag) * 16 + exchange) << 32};
}

template <class Word>
struct Write {
  Word* message[BoxList::capacity];
  Pattern pattern[BoxList::capacity];
  KOKKOS_INLINE_FUNCTION void operator()(int channel, std::int64_t n, int, int, int) const {
    message[channel][n] = pattern[channel].at<Word>(n);
  }
};

template <class Word>
struct CountWrong {
  const Word* message[BoxList::capacity];
  Pattern pattern[BoxList::capacity];
  std::int64_t* wrong;
  KOKKOS_INLINE_FUNCTION void operator()(int channel, std::int64_t n, int, int, int) const {
    if (message[channel][n] != pattern[channel].at<Word>(n)) Kokkos::atomic_inc(wrong);
  }
};

/// As the messages of an exchange are packed and unpacked: all by one kernel, each as a row of
/// cells, of which there are `most`.
BoxList rows_of(const std::vector<Channel>& channels, int most) {
  std::vector<Box> rows;
  for (const auto& channel : channels)
    rows.push_back({{0, 0, 0}, {std::min(channel.elements, most), 1, 1}});
  return BoxList(rows);
}

/// Of channels whose elements are Words.
template <class Word>
class Trial {
 public:
  Trial(std::unique_ptr<Transport> transport, const Communicator& communicator,
        const std::vector<Channel>& channels)
      : communicator_(communicator),
        channels_(channels),
        whole_(rows_of(channels, std::numeric_limits<int>::max())),
        firsts_(rows_of(channels, 1)),
        transport_(std::move(transport)) {}

  /// Elements that arrived wrong, on all ranks.
  std::int64_t wrong_elements() {
    for (int exchange = 0; exchange < checked_exchanges; ++exchange) {
      exchange_once(exchange, whole_);
    }
    std::int64_t wrong = 0;
    Kokkos::deep_copy(space_, wrong, wrong_);
    space_.fence("transport trial");
    return communicator_.sum(wrong);
  }

  /// With the packing, since there are transports that consist of it. Of what arrives one element
  /// is read.
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
      return launch_flagged(space_, label,
                            sending(transport_->departures(), whole_, outgoing(number)),
                            receiving(transport_->arrivals(), read, incoming(number)));
    }
    send_cells(space_, label, transport_->departures(), whole_, outgoing(number));
    transport_->start(space_);
    transport_->finish(space_);
    receive_cells(space_, label, transport_->arrivals(), read, incoming(number));
  }

  Write<Word> outgoing(int exchange) const {
    Write<Word> body{};
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      body.message[c] = reinterpret_cast<Word*>(transport_->send_buffer(c));
      body.pattern[c] = pattern_of(communicator_.rank(), channels_[c].send_tag, exchange);
    }
    return body;
  }

  CountWrong<Word> incoming(int exchange) const {
    CountWrong<Word> body{};
    body.wrong = wrong_.data();
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      body.message[c] = reinterpret_cast<const Word*>(transport_->receive_buffer(c));
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

template <class Word>
TransportTrial trial_of(TransportKind kind, const Communicator& communicator,
                        const std::vector<Channel>& channels) {
  Trial<Word> trial(make_transport(kind, communicator, channels), communicator, channels);
  if (const auto wrong = trial.wrong_elements(); wrong > 0) {
    return {kind, UnavailableReason::wrong_data(std::to_string(wrong) + " elements arrived wrong"),
            0};
  }
  return {kind, {}, trial.seconds_of_exchange()};
}

/// Whether elements have 8 bytes: those of a plan's channels are all of one size, on all ranks.
bool wide(const Communicator& communicator, const std::vector<Channel>& channels) {
  return communicator.max(channels.empty() ? 0 : channels.front().element_bytes) > 4;
}

TransportTrial try_transport(TransportKind kind, const Communicator& communicator,
                             const std::vector<Channel>& channels) {
  try {
    return wide(communicator, channels) ? trial_of<std::uint64_t>(kind, communicator, channels)
                                        : trial_of<std::uint32_t>(kind, communicator, channels);
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

double seconds_of_exchange(const Communicator& communicator, const std::vector<Channel>& channels,
                           const std::vector<TransportKind>& kinds) {
  auto transport = make_transport(kinds, communicator, channels);
  return wide(communicator, channels)
             ? Trial<std::uint64_t>(std::move(transport), communicator, channels)
                   .seconds_of_exchange()
             : Trial<std::uint32_t>(std::move(transport), communicator, channels)
                   .seconds_of_exchange();
}

const TransportTrial& fastest(const std::vector<TransportTrial>& trials) {
  return *std::ranges::min_element(trials, {}, [](const auto& trial) {
    return std::pair(trial.unavailable.exists(), trial.seconds);
  });
}

}  // namespace halotherm::comm
