// SPDX-License-Identifier: MIT
// Cuts for ranks that are not equally fast: pure arithmetic on measured speeds.
#pragma once

#include "comm/partition/partition.hpp"

#include <vector>

namespace halotherm::comm {

/// How much longer than the ideal a step takes if every rank computes `speeds`[rank] cells a
/// second: the slowest rank's time over that in which all ranks together compute all cells.
double imbalance(const Partition& partition, const std::vector<double>& speeds);

/// The split_points that make the slowest rank's time least, with blocks of at least `thinnest`
/// cells along cut axes: along one axis exactly; along several by turns, each time exactly with the
/// others held, until nothing is gained.
SplitPoints balanced_split_points(const Partition& partition, const std::vector<double>& speeds,
                                  int thinnest);

}  // namespace halotherm::comm
