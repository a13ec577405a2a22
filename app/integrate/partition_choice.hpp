// SPDX-License-Identifier: MIT
// Chooses the partition: even, as configured, or by each rank's measured speed.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/partition/partition.hpp"

#include <string>
#include <vector>

namespace halotherm::app {

/// Measured speeds of the ranks and the imbalance that they predict.
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
  std::vector<int> nodes;  ///< of every rank, as Communicator::nodes gives them
  BalanceRecord balance;
};

/// Collective. The configured partition of these ranks, even unless split points are given. Throws
/// CollectiveError.
PartitionChoice configured_partition(const comm::Communicator& world, const Config& config);

/// Collective, within a DeviceScope. With `parallel.balance: measured` every rank steps its block
/// of the even partition for about a second, and the split points move if that predicts steps at
/// least 5 % shorter. Throws CollectiveError. Instantiated for float and double.
template <class Real>
PartitionChoice choose_partition(const comm::Communicator& world, const Config& config);

/// The measured speeds and the resulting blocks as one line without its end; empty if nothing was
/// measured.
std::string balance_text(const PartitionChoice& choice, int dimensions);

/// The split points in the syntax of `parallel.split_points`: "[[], [], [40]]".
std::string split_points_text(const comm::SplitPoints& split_points, int dimensions);

}  // namespace halotherm::app
