// SPDX-License-Identifier: MIT
// Memory and messages of a run, estimated from its configuration.
#pragma once

#include "app/config/config.hpp"
#include "app/integrate/device_memory.hpp"
#include "comm/partition/partition.hpp"

#include <cstdint>
#include <string>

namespace halotherm::app {

struct ResourceEstimate {
  comm::Int3 dims{};
  comm::Int3 cells{};
  comm::Box largest_block;
  double imbalance = 1;
  DeviceMemory device;          ///< of the rank that needs the most
  std::int64_t host_bytes = 0;  ///< at most, while coefficients are sampled or files are written
  std::int64_t checkpoint_bytes = 0;
  /// copy of a rank's block to write from: on the host, and on the device if it has room
  std::int64_t snapshot_bytes = 0;
  /// on the host, in addition: received values that this rank writes, or sent ones
  std::int64_t write_buffer_bytes = 0;
  bool has_stages = false;    ///< steps have several, each with an exchange
  std::int64_t messages = 0;  ///< of an exchange, all ranks
  std::int64_t message_bytes = 0;
  std::int64_t node_bytes = 0;          ///< the part of message_bytes that leaves its node
  std::int64_t natural_node_bytes = 0;  ///< the same with `rank_mapping: natural`
};

/// The estimate for a partition whose ranks run on these nodes (comm/partition/rank_mapping.hpp);
/// allocates nothing.
ResourceEstimate estimate_resources(const Config& config, const comm::Partition& partition,
                                    const std::vector<int>& nodes);
std::string to_string(const ResourceEstimate& plan);
/// "12.3 GB", with four digits.
std::string bytes_text(std::int64_t bytes);

/// Collective, within a DeviceScope. Whether the free memory suffices on every rank.
bool has_room(const comm::Communicator& world, const ResourceEstimate& plan);

/// Collective, within a DeviceScope. Throws CollectiveError (usage) if the free memory does not
/// suffice.
void check_memory(const comm::Communicator& world, const ResourceEstimate& plan);

/// Collective. Opens every input file that the configuration names and checks the data sets'
/// shapes; throws CollectiveError (input_output).
void check_inputs(const comm::Communicator& world, const Config& config);

/// The number of threads that a rank's steps keep busy: more only make kernels start and end later
/// (docs/performance.md).
int threads_worth(double cells_of_a_rank);
/// The number of threads worth using where so many ranks share the grid.
int threads_worth(const Config& config, int ranks);

}  // namespace halotherm::app
