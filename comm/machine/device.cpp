// SPDX-License-Identifier: MIT
#include "comm/machine/device.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"
#include "comm/machine/nvml.hpp"
#include "comm/system/host_cpus.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>

namespace halotherm::comm {

namespace {

/// Linux' estimate of the host's available memory [bytes]; the largest number if unknown.
std::int64_t available_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes >> unit) {
    if (name == "MemAvailable:") return kibibytes * 1024;
    file.ignore(1, '\n');
  }
  return std::numeric_limits<std::int64_t>::max();
}

bool shows_mig_instances() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible != nullptr && std::string_view(visible).starts_with("MIG-");
}

}  // namespace

std::string to_string(const DeviceId& id) {
  if (id == DeviceId{}) return "";
  std::string text = "GPU-";
  for (std::size_t byte = 0; byte < id.size(); ++byte) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", id[byte]);
    text += hex.data();
    if (byte == 3 || byte == 5 || byte == 7 || byte == 9) text += '-';
  }
  return text;
}

std::string DeviceDescription::name() const {
  return id == DeviceId{} ? model : model + " " + identity();
}

std::optional<int> choose_device(int node_rank) {
  if constexpr (kernels_run_on_host) {
    return std::nullopt;
  } else {
    return node_rank % gpu::device_count();
  }
}

int current_device() {
  if constexpr (kernels_run_on_host) {
    return 0;
  } else {
    return gpu::current_device();
  }
}

DeviceDescription describe_device() {
  if constexpr (kernels_run_on_host) {
    const int threads = Space().concurrency();
    const auto unit = threads == 1 ? " thread" : " threads";
    return {std::to_string(threads) + " " + Space::name() + unit, {}};
  } else {
    const auto identity = gpu::identity_of(current_device());
    return {identity.name, identity.uuid};
  }
}

std::int64_t available_memory(int ranks_on_node) {
  if constexpr (kernels_run_on_host) {
    return available_host_memory() / ranks_on_node;
  } else {
    const int devices = gpu::device_count();
    const int sharing = (ranks_on_node + devices - 1) / devices;
    return static_cast<std::int64_t>(gpu::free_memory()) / sharing;
  }
}

std::string device_model() {
  const auto model = describe_device().model;
  return kernels_run_on_host ? cpu_model() + ", " + model : model;
}

DeviceLinks describe_device_links() {
  DeviceLinks links;
  if constexpr (!kernels_run_on_host) {
    links.pci_bus_id = gpu::pci_bus_id_of(current_device());
    links.visible_devices = gpu::device_count();
    const Nvml nvml(links.pci_bus_id);
    links.partitioned = shows_mig_instances() || nvml.is_partitioned();
    links.nvlink_rate = nvml.nvlink_rate();
    links.pcie_rate = nvml.pcie_rate();
  }
  return links;
}

PeerLink link_to(const std::string& pci_bus_id) {
  PeerLink link;
  if constexpr (!kernels_run_on_host) {
    const int here = current_device();
    const auto id = gpu::pci_bus_id_of(here);
    link.nvlink = id != pci_bus_id && Nvml(id).nvlink_joins(pci_bus_id);
    const auto there = gpu::device_at(pci_bus_id);
    link.visible = there.has_value();
    link.accessible = there && (*there == here || gpu::can_access(here, *there));
  }
  return link;
}

}  // namespace halotherm::comm
