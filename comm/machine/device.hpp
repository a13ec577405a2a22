// SPDX-License-Identifier: MIT
// The device of this rank, a GPU or the host's CPUs, and its links to other devices. Everything
// here is local.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace halotherm::comm {

/// Tells the GPUs of all hosts apart; zeros on CPUs.
using DeviceId = std::array<unsigned char, 16>;

/// "GPU-6f3c0d1a-…", as nvidia-smi prints it; empty for zeros.
std::string to_string(const DeviceId& id);

struct DeviceDescription {
  std::string model;  ///< "NVIDIA H200" or "2 OpenMP threads"
  DeviceId id{};

  /// "NVIDIA H200 GPU-6f3c0d1a-…" or "2 OpenMP threads".
  std::string name() const;
  /// Equal for ranks of a host that share a GPU; empty on CPUs.
  std::string identity() const { return to_string(id); }
};

/// The device for the rank with this number on its node: the visible devices in turn; none on CPUs.
/// With Slurm's --gpus-per-task or MIG each rank sees only its own device. Throws Error (internal)
/// if there is no usable device. For use before Kokkos starts.
std::optional<int> choose_device(int node_rank);

/// The CUDA number of the device that Kokkos runs on; 0 on CPUs.
int current_device();

/// Describes the device that Kokkos runs on.
DeviceDescription describe_device();

/// "NVIDIA H200" or "AMD EPYC, 2 OpenMP threads": the model, without what identifies one device.
std::string device_model();

/// Memory that this rank may still allocate on its device, shared evenly with the ranks on the same
/// device [bytes]. `ranks_on_node`: the size of Communicator::node(). For use within a DeviceScope.
std::int64_t available_memory(int ranks_on_node);

struct DeviceLinks {
  std::string pci_bus_id;  ///< in lower case, as Linux names its folder; empty on CPUs
  int visible_devices = 0;
  bool partitioned = false;           ///< by MIG
  std::optional<double> nvlink_rate;  ///< all links together, in one direction [bytes/s]
  std::optional<double> pcie_rate;    ///< in one direction [bytes/s]
};

/// Describes the links of the device that Kokkos runs on, as the driver reports them.
DeviceLinks describe_device_links();

/// How this rank's device reaches another device of its node.
struct PeerLink {
  bool visible = false;     ///< this rank also sees the other device
  bool accessible = false;  ///< this device can read and write the other's memory
  bool nvlink = false;      ///< NVLink joins them
};
PeerLink link_to(const std::string& pci_bus_id);

}  // namespace halotherm::comm
