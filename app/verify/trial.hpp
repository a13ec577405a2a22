// SPDX-License-Identifier: MIT
// One simulation of a verification: the objects of a run, without its outputs.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::app {

struct TrialRequest {
  std::string exact;             ///< formula of the expected temperature at the end; "" if none
  bool poison_ghosts = false;    ///< all ghost cells are NaN before each step
  bool balance = false;          ///< instruments every step
  double change_last_value = 0;  ///< added to rank 0's last cell at the end: a seeded error [K]
};

struct TrialResult {
  std::int64_t steps = 0;
  double largest_error = 0;    ///< against the expected temperature [K]
  double rms_error = 0;        ///< root mean square over all cells [K]
  std::uint64_t checksum = 0;  ///< of the bits of all temperatures, whatever the partition
  double missing = 0;          ///< from the worst balance of a step, over the step's largest flow
  std::vector<double> values;  ///< of this rank's block at the end, x fastest [K]
};

/// Collective over `ranks`. Runs the configuration from its start to its end, in its precision, on
/// its partition; writes nothing. All members of the result but `values` are the same on all ranks.
/// Throws CollectiveError.
TrialResult run_trial(const comm::Communicator& ranks, const Config& config,
                      const TrialRequest& request);

}  // namespace halotherm::app
