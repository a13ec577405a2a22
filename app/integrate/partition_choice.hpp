// SPDX-License-Identifier: MIT
// How a run's grid is cut: evenly or as configured, or by what each rank is measured to compute in
// a second.
#pragma once

#include "app/config/config.hpp"
#include "comm/partition/rank_mapping.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// What was measured to cut by, and what is expected of it.
struct BalanceRecord {
  /// of every rank, while all compute [cells/s]; none if nothing was measured
  std::vector<double> speeds;
  double even_imbalance = 1;  ///< time of the slowest rank over the ideal one, with even blocks
  double predicted_imbalance = 1;  ///< with the blocks chosen
  bool no_room = false;            ///< better blocks would not have fitted the memory
  double seconds = 0;              ///< that measuring took
};

struct PartitionChoice {
  comm::Partition partition;
  std::vector<int> nodes;  ///< of every rank, as comm::nodes_of gives them
  BalanceRecord balance;
};

/// Collective, within a DeviceScope. With `parallel.balance: measured` every rank steps its share
/// of the even cut for about a second, and the split_points between blocks move if that promises
/// steps that are at least 5 % shorter. Throws CollectiveError. Instantiated for float and double.
template <class Real>
PartitionChoice choose_partition(const comm::Communicator& world, const Config& config);

/// What was measured and made of it, in a line without its end; empty if nothing was measured.
std::string balance_text(const PartitionChoice& cut, int dimensions);

/// The split_points as `parallel.split_points` takes them: "[[], [], [40]]".
std::string split_points_text(const comm::SplitPoints& split_points, int dimensions);

}  // namespace halotherm::app
