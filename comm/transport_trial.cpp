// SPDX-License-Identifier: MIT
#include "comm/transport_trial.hpp"

#include "comm/error.hpp"
#include "comm/message_layout.hpp"
#include "comm/timers.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

constexpr int checked_exchanges = 4;  // each buffer twice, where they take turns
constexpr int batches = 5;
constexpr int exchanges_a_batch = 10;

using Words = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// Different for every word of every message.
struct Pattern {
  std::uint32_t seed;
  KOKKOS_INLINE_FUNCTION std::uint32_t operator()(std::int64_t n) const { return (static_cast<std::uint32_t>(n) + seed) * 2654435761u; }
};

Pattern pattern_of(int sender, int tag, int exchange) {
  return {static_cast<std::uint32_t>((sender * 64 + tag) * 16 + exchange) * 40503u};
}

struct Write {
  std::uint32_t* words;
  Pattern pattern;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const { words[n] = pattern(n); }
};

struct CountWrong {
  const std::uint32_t* words;
  Pattern pattern;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n, std::int64_t& wrong) const { wrong += words[n] != pattern(n) ? 1 : 0; }
};

Words words_of(const Space& space, const Channel& channel) {
  return {space, 0, static_cast<std::int64_t>(bytes_of(channel) / sizeof(std::uint32_t))};
}

/// Words that arrived wrong on this rank.
std::int64_t checked_exchange(const Communicator& communicator, const std::vector<Channel>& channels, Transport& transport,
                              const Space& space, int exchange) {
  transport.prepare(space);
  for (std::size_t c = 0; c < channels.size(); ++c) {
    auto* words = reinterpret_cast<std::uint32_t*>(transport.send_buffer(c));
    const auto pattern = pattern_of(communicator.rank(), channels[c].send_tag, exchange);
    Kokkos::parallel_for("transport trial", words_of(space, channels[c]), Write{words, pattern});
  }
  transport.start(space);
  transport.finish(space);
  std::int64_t wrong = 0;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(transport.receive_buffer(c));
    const auto pattern = pattern_of(channels[c].neighbour, channels[c].receive_tag, exchange);
    std::int64_t of_channel = 0;
    Kokkos::parallel_reduce("transport trial", words_of(space, channels[c]), CountWrong{words, pattern}, of_channel);
    wrong += of_channel;
  }
  transport.release(space);
  return wrong;
}

double time_exchanges(const Communicator& communicator, Transport& transport, const Space& space) {
  double best = 1e300;
  for (int batch = 0; batch < batches; ++batch) {
    communicator.barrier();
    const Stopwatch watch;
    for (int n = 0; n < exchanges_a_batch; ++n) {
      transport.prepare(space);
      transport.start(space);
      transport.finish(space);
      transport.release(space);
    }
    space.fence("transport trial");
    best = std::min(best, communicator.max(watch.seconds()) / exchanges_a_batch);
  }
  return best;
}

TransportTrial try_transport(TransportKind kind, const Communicator& communicator, const std::vector<Channel>& channels) {
  const Space space;
  TransportTrial trial{kind, "", 0};
  try {
    const auto transport = make_transport(kind, communicator, channels);
    std::int64_t wrong = 0;
    for (int exchange = 0; exchange < checked_exchanges; ++exchange) {
      wrong += checked_exchange(communicator, channels, *transport, space, exchange);
    }
    wrong = communicator.sum(wrong);
    if (wrong > 0) {
      trial.obstacle = std::to_string(wrong) + " words arrived wrong";
    } else {
      trial.seconds = time_exchanges(communicator, *transport, space);
    }
  } catch (const CollectiveError& error) {
    trial.obstacle = error.what();
  }
  return trial;
}

}  // namespace

std::vector<TransportTrial> try_transports(const Communicator& communicator, const std::vector<Channel>& channels,
                                           std::span<const TransportKind> kinds) {
  std::vector<TransportTrial> trials;
  for (const auto kind : kinds) trials.push_back(try_transport(kind, communicator, channels));
  return trials;
}

const TransportTrial& fastest(const std::vector<TransportTrial>& trials) {
  return *std::ranges::min_element(trials, {}, [](const auto& trial) { return trial.obstacle.empty() ? trial.seconds : 1e300; });
}

}  // namespace halotherm::comm
