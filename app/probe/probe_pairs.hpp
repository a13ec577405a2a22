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

/// All pairs on each node, and the first ranks of each two nodes. The order is such that any number
/// of them from the beginning is a fair sample: pairs between nodes and on nodes take turns, and so
/// do the nodes.
std::vector<RankPair> pairs_of(const std::vector<std::string>& hosts);

/// Collective over the two ranks. `pair` knows who they are; its measurements are filled in on the
/// first.
void measure_pair(const comm::Communicator& world, const ProbeRecord& facts,
                  const std::vector<std::int64_t>& sizes, ProbePair& pair);

/// Within this rank's device, read and written [bytes/s].
double measure_self_copy(std::int64_t bytes);

}  // namespace halotherm::app
