// SPDX-License-Identifier: MIT
// What a run will take, before it takes it.
#pragma once

#include "app/config.hpp"
#include "comm/decomposition.hpp"

#include <cstdint>
#include <string>

namespace halotherm::app {

struct Plan {
  comm::Int3 dims{};
  comm::Int3 cells{};
  comm::Box largest_block;
  double imbalance = 1;
  std::int64_t device_bytes = 0;  ///< of the rank with the largest block
  std::int64_t host_bytes = 0;    ///< besides, while coefficients are sampled or files are written
  std::int64_t checkpoint_bytes = 0;
  std::int64_t snapshot_bytes = 0;    ///< that a rank sets aside to write from: on the host, and on the device if it has room
  std::int64_t travelling_bytes = 0;  ///< besides, of values that another rank writes
  std::int64_t messages = 0;          ///< a step, all ranks
  std::int64_t message_bytes = 0;
};

/// For a job of `ranks` ranks; allocates nothing. Throws Error (usage) if the grid cannot be cut so.
Plan make_plan(const Config& config, int ranks);
std::string to_string(const Plan& plan);

/// Collective, within a DeviceScope. Throws CollectiveError (usage) if the memory that is free does not hold the plan.
void check_memory(const comm::Communicator& world, const Plan& plan);

/// Collective. Opens every input file that the configuration names and checks the data sets' shapes; throws CollectiveError
/// (input_output).
void check_inputs(const comm::Communicator& world, const Config& config);

}  // namespace halotherm::app
