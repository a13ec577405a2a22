// SPDX-License-Identifier: MIT
#include "app/probe/probe_pairs.hpp"

#include "comm/device/execution.hpp"
#include "comm/mpi/error.hpp"
#include "comm/mpi/sub_communicator.hpp"
#include "comm/system/best_time.hpp"
#include "comm/transport/transport_trial.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <utility>

namespace halotherm::app {

using comm::TransportKind;

namespace {

/// All pairs of these ranks, one after the other: the first rank with each later one, and so on.
class PairsOf {
 public:
  explicit PairsOf(std::vector<int> ranks) : ranks_(std::move(ranks)) {}

  std::int64_t count() const {
    const auto all = std::ssize(ranks_);
    return all * (all - 1) / 2;
  }
  std::optional<RankPair> next() {
    if (second_ == ranks_.size()) second_ = ++first_ + 1;
    if (second_ >= ranks_.size()) return std::nullopt;
    return RankPair{ranks_[first_], ranks_[second_++]};
  }

 private:
  std::vector<int> ranks_;
  std::size_t first_ = 0, second_ = 1;
};

/// The pairs of several nodes, one of each node in turn.
class PairsOfNodes {
 public:
  void add(PairsOf node) { nodes_.push(std::move(node)); }

  std::optional<RankPair> next() {
    while (!nodes_.empty()) {
      auto node = std::move(nodes_.front());
      nodes_.pop();
      const auto pair = node.next();
      if (!pair) continue;
      nodes_.push(std::move(node));
      return pair;
    }
    return std::nullopt;
  }

 private:
  std::queue<PairsOf> nodes_;
};

std::vector<TransportKind> possible_kinds(const ProbeRecord& facts, const ProbePair& pair) {
  const auto [a, b] = facts.ranks_of(pair);
  std::vector<TransportKind> kinds{TransportKind::staged, TransportKind::rma};
  if (facts.mpi.unavailable.empty()) kinds.push_back(TransportKind::device);
  if (both_on_gpus(a, b) && same_host(a, b)) kinds.push_back(TransportKind::p2p);
  if (facts.nccl_works) kinds.push_back(TransportKind::nccl);
  return kinds;
}

comm::Channel channel_to(int neighbour, std::int64_t bytes) {
  return {.neighbour = neighbour,
          .send_tag = 1,
          .receive_tag = 1,
          .elements = static_cast<int>(bytes / 8),
          .element_bytes = 8};
}

comm::PeerLink link_of_both(const comm::Communicator& two, const std::string& other_device) {
  const auto mine = other_device.empty() ? comm::PeerLink{} : comm::link_to(other_device);
  const auto both = [&](bool fact) { return two.all(fact); };
  return {both(mine.visible), both(mine.accessible), both(mine.nvlink)};
}

void measure_exchanges(const comm::Communicator& two, const std::vector<TransportKind>& kinds,
                       std::int64_t bytes, ProbePair& pair) {
  const auto channel = channel_to(1 - two.rank(), bytes);
  for (const auto& trial : comm::try_transports(two, {channel}, kinds)) {
    pair.exchanges.push_back({trial.kind, bytes, trial.seconds, trial.unavailable});
  }
}

template <class Space>
void measure_one_way_from(const comm::Communicator& two, const char* name, std::int64_t bytes,
                          ProbePair& pair) {
  const Kokkos::View<std::byte*, Space> memory("probe messages", static_cast<std::size_t>(bytes));
  const auto result = comm::measure_one_way(two, memory.data(), bytes);
  pair.one_way.push_back({name, result.latency, bytes, result.bandwidth});
}

}  // namespace

ChosenPairs choose_pairs(const std::vector<std::string>& hosts, std::int64_t most) {
  std::map<std::string, std::vector<int>> ranks_of;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank)
    ranks_of[hosts[rank]].push_back(static_cast<int>(rank));
  std::vector<int> first_ranks;
  PairsOfNodes within;
  ChosenPairs chosen;
  for (auto& [host, ranks] : ranks_of) {
    first_ranks.push_back(ranks.front());
    PairsOf node(std::move(ranks));
    chosen.left_out += node.count();
    if (node.count() > 0) within.add(std::move(node));
  }
  std::ranges::sort(first_ranks);
  PairsOf between(std::move(first_ranks));
  chosen.left_out += between.count();
  const auto take = [&](std::optional<RankPair> pair) {
    if (!pair || std::ssize(chosen.pairs) >= most) return false;
    chosen.pairs.push_back(*pair);
    return true;
  };
  for (bool more = true; more;) {
    const bool far = take(between.next());
    more = take(within.next()) || far;
  }
  chosen.left_out -= std::ssize(chosen.pairs);
  return chosen;
}

void measure_pair(const comm::Communicator& world, const ProbeRecord& facts,
                  const std::vector<std::int64_t>& sizes, ProbePair& pair) {
  const auto two = comm::make_pair(world, pair.first, pair.second);
  const auto& other =
      facts.ranks[static_cast<std::size_t>(two.rank() == 0 ? pair.second : pair.first)];
  const auto& mine = facts.ranks[static_cast<std::size_t>(world.rank())];
  pair.link = link_of_both(two, same_host(mine, other) ? other.links.pci_bus_id : "");
  const auto kinds = possible_kinds(facts, pair);
  for (const auto bytes : sizes) measure_exchanges(two, kinds, bytes, pair);
  measure_one_way_from<Kokkos::HostSpace>(two, "host", sizes.back(), pair);
  if (!comm::kernels_run_on_host && facts.mpi.unavailable.empty())
    measure_one_way_from<comm::Memory>(two, "device", sizes.back(), pair);
}

double measure_self_copy(std::int64_t bytes) {
  const comm::Space space;
  const Kokkos::View<double*, comm::Memory> from("probe source",
                                                 static_cast<std::size_t>(bytes / 8));
  const Kokkos::View<double*, comm::Memory> to("probe target", static_cast<std::size_t>(bytes / 8));
  const double seconds = best_time(
      comm::Alone(), {.timings = 5}, [&] { Kokkos::deep_copy(space, to, from); },
      [&] { space.fence("probe copy"); });
  return 2 * static_cast<double>(bytes) / seconds;
}

}  // namespace halotherm::app
