// SPDX-License-Identifier: MIT
// What joins this rank's accelerator to others: facts, as the driver tells them.
#pragma once

#include <optional>
#include <string>

namespace halotherm::comm {

struct DeviceLinks {
  std::string pci_bus_id;  ///< as Linux names its folder; empty on CPUs
  int visible_devices = 0;
  bool partitioned = false;           ///< MIG
  std::optional<double> nvlink_rate;  ///< all links together, in one direction [bytes/s]
  std::optional<double> pcie_rate;    ///< in one direction [bytes/s]
};

/// Of the device that Kokkos runs on.
DeviceLinks describe_device_links();

/// How this rank's device reaches another one of its node.
struct PeerLink {
  bool visible = false;     ///< this rank sees the other device, too
  bool accessible = false;  ///< this device can read and write the other's memory
  bool nvlink = false;      ///< NVLink joins them
};
PeerLink link_to(const std::string& pci_bus_id);

}  // namespace halotherm::comm
