// SPDX-License-Identifier: MIT
// The accelerator of this rank, if kernels run on one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace halotherm::comm {

struct DeviceDescription {
  std::string name;      ///< "NVIDIA H200 GPU-6f3c0d1a-…" or "2 OpenMP threads"
  std::string identity;  ///< the same for two ranks that share a device of one host; empty on CPUs
};

/// Which of the visible devices the rank with this number on its node takes: in turn. None on CPUs.
/// Slurm's --gpus-per-task and MIG show each rank its own single device, which is then the choice.
/// Throws Error (internal) if there is no usable device. Call before Kokkos starts.
std::optional<int> choose_device(int node_rank);

/// The runtime's number of the device that Kokkos runs on; 0 on CPUs.
int current_device();

/// Of the device that Kokkos runs on.
DeviceDescription describe_device();

/// "NVIDIA H200" or "AMD EPYC, 2 OpenMP threads": what such devices have in common, without what
/// tells one piece from another.
std::string device_model();

/// Memory that this rank may still take on its device, shared evenly with the ranks that have the
/// same one [bytes]. `ranks_on_node` as the node's communicator says. Within a DeviceScope.
std::int64_t available_memory(int ranks_on_node);

}  // namespace halotherm::comm
