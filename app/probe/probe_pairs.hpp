// SPDX-License-Identifier: MIT
// Which pairs of ranks are measured, and how.
#pragma once

#include "app/probe/probe.hpp"

namespace halotherm::app {

struct RankPair {
  int first = 0;
  int second = 0;
  friend bool operator==(const RankPair&, const RankPair&) = default;
};

struct ChosenPairs {
  std::vector<RankPair> pairs;
  std::int64_t left_out = 0;
};

/// The first `most` of all pairs within each node and all pairs of the nodes' first ranks. Pairs
/// within and between nodes alternate, and so do the nodes, so that any first part of the list is
/// representative. Only the pairs that are taken are made.
ChosenPairs choose_pairs(const std::vector<std::string>& hosts, std::int64_t most);

/// Collective over the pair's two ranks. Adds the measurements to `pair` on the first.
void measure_pair(const comm::Communicator& world, const ProbeRecord& facts,
                  const std::vector<std::int64_t>& sizes, ProbePair& pair);

/// Copies within this rank's device, read and written [bytes/s].
double measure_self_copy(std::int64_t bytes);

}  // namespace halotherm::app
