// SPDX-License-Identifier: MIT
#include "comm/device_links.hpp"

#include "comm/device.hpp"
#include "comm/execution.hpp"
#include "comm/nvml.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace halotherm::comm {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// With small letters, as Linux writes it.
std::string pci_bus_id_of(int device) {
  std::array<char, 32> text{};
  cudaDeviceGetPCIBusId(text.data(), text.size(), device);
  std::string id(text.data());
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return id;
}

bool shows_mig_instances() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && std::string_view(visible).starts_with("MIG-");
}

}  // namespace

DeviceLinks describe_device_links() {
  DeviceLinks links;
  links.pci_bus_id = pci_bus_id_of(current_device());
  cudaGetDeviceCount(&links.visible_devices);
  const Nvml gpu(links.pci_bus_id);
  links.partitioned = shows_mig_instances() || gpu.is_partitioned();
  links.nvlink_rate = gpu.nvlink_rate();
  links.pcie_rate = gpu.pcie_rate();
  return links;
}

PeerLink link_to(const std::string& pci_bus_id) {
  PeerLink link;
  const int here = current_device();
  const auto id = pci_bus_id_of(here);
  link.nvlink = id != pci_bus_id && Nvml(id).nvlink_joins(pci_bus_id);
  int there = 0;
  link.visible = cudaDeviceGetByPCIBusId(&there, pci_bus_id.c_str()) == cudaSuccess;
  int accessible = 0;
  if (link.visible && there != here) cudaDeviceCanAccessPeer(&accessible, here, there);
  link.accessible = link.visible && (there == here || accessible == 1);
  cudaGetLastError();  // a device that is not visible is an answer, not an error
  return link;
}

#else  // CPUs; of other accelerators nothing is known

DeviceLinks describe_device_links() {
  return {};
}

PeerLink link_to(const std::string&) {
  return {};
}

#endif

}  // namespace halotherm::comm
