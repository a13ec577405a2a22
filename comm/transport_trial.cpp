// SPDX-License-Identifier: MIT
#include "comm/transport_trial.hpp"

#include "comm/error.hpp"
#include "comm/timers.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

constexpr int checked_exchanges = 4;  // each buffer twice, where they take turns
constexpr int batches = 5;
constexpr int exchanges_a_batch = 10;

using Elements = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

/// Different for every element of every message.
struct Pattern {
  std::uint64_t seed;
  template <class Word>
  KOKKOS_INLINE_FUNCTION Word at(std::int64_t n) const {
    return static_cast<Word>((static_cast<std::uint64_t>(n) + seed) * 0x9e3779b97f4a7c15u >> (64 - 8 * sizeof(Word)));
  }
};

Pattern pattern_of(int sender, int tag, int exchange) {
  return {static_cast<std::uint64_t>((sender * 64 + tag) * 16 + exchange) << 32};
}

template <class Word>
struct Write {
  Word* elements;
  Pattern pattern;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const { elements[n] = pattern.at<Word>(n); }
};

template <class Word>
struct CountWrong {
  const Word* elements;
  Pattern pattern;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n, std::int64_t& wrong) const {
    wrong += elements[n] != pattern.at<Word>(n) ? 1 : 0;
  }
};

/// Calls `work` with a value of the type that elements of the channel have the size of.
template <class Work>
void with_word(const Channel& channel, const Work& work) {
  if (channel.element_bytes == 8) {
    work(std::uint64_t{});
  } else {
    work(std::uint32_t{});
  }
}

class Trial {
 public:
  Trial(TransportKind kind, const Communicator& communicator, const std::vector<Channel>& channels)
      : communicator_(communicator), channels_(channels), transport_(make_transport(kind, communicator, channels)) {}

  /// Elements that arrived wrong, on all ranks.
  std::int64_t wrong_elements() {
    std::int64_t wrong = 0;
    for (int exchange = 0; exchange < checked_exchanges; ++exchange) {
      send(exchange);
      transport_->finish(space_);
      for (std::size_t c = 0; c < channels_.size(); ++c) wrong += wrong_elements_of(c, exchange);
      transport_->release(space_);
    }
    return communicator_.sum(wrong);
  }

  /// With the packing, since there are transports that consist of it.
  double seconds_of_exchange() {
    double best = 1e300;
    for (int batch = 0; batch < batches; ++batch) {
      communicator_.barrier();
      const Stopwatch watch;
      for (int n = 0; n < exchanges_a_batch; ++n) {
        send(n);
        transport_->finish(space_);
        transport_->release(space_);
      }
      space_.fence("transport trial");
      best = std::min(best, communicator_.max(watch.seconds()) / exchanges_a_batch);
    }
    return best;
  }

 private:
  void send(int exchange) {
    transport_->prepare(space_);
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      const auto pattern = pattern_of(communicator_.rank(), channels_[c].send_tag, exchange);
      with_word(channels_[c], [&](auto word) {
        auto* elements = reinterpret_cast<decltype(word)*>(transport_->send_buffer(c));
        Kokkos::parallel_for("transport trial", elements_of(c), Write<decltype(word)>{elements, pattern});
      });
    }
    transport_->start(space_);
  }

  std::int64_t wrong_elements_of(std::size_t c, int exchange) {
    std::int64_t wrong = 0;
    const auto pattern = pattern_of(channels_[c].neighbour, channels_[c].receive_tag, exchange);
    with_word(channels_[c], [&](auto word) {
      const auto* elements = reinterpret_cast<const decltype(word)*>(transport_->receive_buffer(c));
      Kokkos::parallel_reduce("transport trial", elements_of(c), CountWrong<decltype(word)>{elements, pattern}, wrong);
    });
    return wrong;
  }

  Elements elements_of(std::size_t c) const { return {space_, 0, channels_[c].elements}; }

  const Communicator& communicator_;
  const std::vector<Channel>& channels_;
  Space space_;
  std::unique_ptr<Transport> transport_;
};

TransportTrial try_transport(TransportKind kind, const Communicator& communicator, const std::vector<Channel>& channels) {
  TransportTrial result{kind, "", 0};
  try {
    Trial trial(kind, communicator, channels);
    if (const auto wrong = trial.wrong_elements(); wrong > 0) {
      result.obstacle = std::to_string(wrong) + " elements arrived wrong";
    } else {
      result.seconds = trial.seconds_of_exchange();
    }
  } catch (const CollectiveError& error) {
    result.obstacle = error.what();
  }
  return result;
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
