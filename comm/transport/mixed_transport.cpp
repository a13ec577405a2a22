// SPDX-License-Identifier: MIT
#include "comm/transport/mixed_transport.hpp"

#include <algorithm>

namespace halotherm::comm {

namespace {

class MixedTransport final : public Transport {
 public:
  MixedTransport(const std::vector<TransportKind>& used, const std::vector<TransportKind>& kinds,
                 const Communicator& communicator, const std::vector<Channel>& channels)
      : places_(channels.size()) {
    for (const auto kind : used) {
      std::vector<Channel> of_kind;
      for (std::size_t c = 0; c < channels.size(); ++c) {
        if (kinds[c] != kind) continue;
        places_[c] = {parts_.size(), of_kind.size()};
        of_kind.push_back(channels[c]);
      }
      parts_.push_back(make_transport(kind, communicator, of_kind));
    }
  }

  void prepare(const Space& edge) override {
    for (auto& part : parts_) part->prepare(edge);
  }
  std::byte* send_buffer(std::size_t channel) override {
    return parts_[places_[channel].part]->send_buffer(places_[channel].channel);
  }
  /// Only p2p has some; one kernel packs for all parts, and unpacks for all.
  Departures departures() const override { return parts_.front()->departures(); }
  Arrivals arrivals() const override { return parts_.front()->arrivals(); }
  void start(const Space& edge) override {
    for (auto& part : parts_) part->start(edge);
  }
  void depart(const Space& edge) override {
    for (auto& part : parts_) part->depart(edge);
  }
  void finish(const Space& edge) override {
    depart(edge);
    for (auto& part : parts_) part->finish(edge);
  }
  const std::byte* receive_buffer(std::size_t channel) override {
    return parts_[places_[channel].part]->receive_buffer(places_[channel].channel);
  }
  std::vector<int> awaited() const override {
    std::vector<int> ranks;
    for (const auto& part : parts_) std::ranges::copy(part->awaited(), std::back_inserter(ranks));
    return ranks;
  }

 private:
  struct Place {
    std::size_t part = 0;
    std::size_t channel = 0;  ///< of the part
  };

  std::vector<std::unique_ptr<Transport>>
      parts_;  ///< in the order of the kinds: p2p is the first, if it is there
  std::vector<Place> places_;
};

}  // namespace

std::unique_ptr<Transport> make_mixed_transport(const std::vector<TransportKind>& used,
                                                const std::vector<TransportKind>& kinds,
                                                const Communicator& communicator,
                                                const std::vector<Channel>& channels) {
  return std::make_unique<MixedTransport>(used, kinds, communicator, channels);
}

}  // namespace halotherm::comm
