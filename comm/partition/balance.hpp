// SPDX-License-Identifier: MIT
// Split points for ranks of different speeds: pure arithmetic on measured speeds.
#pragma once

#include "comm/partition/partition.hpp"

#include <vector>

namespace halotherm::comm {

/// The time of a step over its ideal time, if rank r computes `speeds`[r] cells a second: the
/// slowest rank's time over the time in which all ranks together would compute all cells.
double imbalance(const Partition& partition, const std::vector<double>& speeds);

/// The split points that minimise the slowest rank's time, with blocks of at least `thinnest` cells
/// along split axes. The minimum is exact along one axis. Several axes take turns, each exact with
/// the others held, until a turn gains nothing.
SplitPoints balanced_split_points(const Partition& partition, const std::vector<double>& speeds,
                                  int thinnest);

}  // namespace halotherm::comm
