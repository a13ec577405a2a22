// SPDX-License-Identifier: MIT
#include "comm/machine/device_links.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"
#include "comm/machine/device.hpp"
#include "comm/machine/nvml.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace halotherm::comm {

namespace {

/// With small letters, as Linux writes it.
std::string pci_bus_id_of(int device) {
  auto id = gpu::pci_bus_id_of(device);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return id;
}

bool shows_mig_instances() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && std::string_view(visible).starts_with("MIG-");
}

}  // namespace

DeviceLinks describe_device_links() {
  DeviceLinks links;
  if constexpr (!kernels_run_on_host) {
    links.pci_bus_id = pci_bus_id_of(current_device());
    links.visible_devices = gpu::device_count();
    const Nvml gpu(links.pci_bus_id);
    links.partitioned = shows_mig_instances() || gpu.is_partitioned();
    links.nvlink_rate = gpu.nvlink_rate();
    links.pcie_rate = gpu.pcie_rate();
  }
  return links;
}

PeerLink link_to(const std::string& pci_bus_id) {
  PeerLink link;
  if constexpr (!kernels_run_on_host) {
    const int here = current_device();
    const auto id = pci_bus_id_of(here);
    link.nvlink = id != pci_bus_id && Nvml(id).nvlink_joins(pci_bus_id);
    const auto there = gpu::device_at(pci_bus_id);
    link.visible = there.has_value();
    link.accessible = there && (*there == here || gpu::can_access(here, *there));
  }
  return link;
}

}  // namespace halotherm::comm
