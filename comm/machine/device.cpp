// SPDX-License-Identifier: MIT
#include "comm/machine/device.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"
#include "comm/machine/environment.hpp"
#include "comm/system/host_cpus.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <array>
#include <cstdio>
#include <fstream>
#include <limits>

namespace halotherm::comm {

namespace {

/// As nvidia-smi prints it.
std::string uuid_text(const std::array<unsigned char, 16>& uuid) {
  std::string text = "GPU-";
  for (std::size_t byte = 0; byte < uuid.size(); ++byte) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", uuid[byte]);
    text += hex.data();
    if (byte == 3 || byte == 5 || byte == 7 || byte == 9) text += '-';
  }
  return text;
}

/// The host's, as Linux estimates it [bytes].
std::int64_t available_host_memory() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes >> unit) {
    if (name == "MemAvailable:") return kibibytes * 1024;
    file.ignore(1, '\n');
  }
  return std::numeric_limits<std::int64_t>::max();  // not known here
}

}  // namespace

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
    return {std::to_string(threads) + " " + Space::name() + (threads == 1 ? " thread" : " threads"),
            ""};
  } else {
    const auto identity = gpu::identity_of(current_device());
    const auto uuid = uuid_text(identity.uuid);
    return {identity.name + " " + uuid, uuid};
  }
}

std::int64_t available_memory(int ranks_on_node) {
  if constexpr (kernels_run_on_host) {
    return available_host_memory() / ranks_on_node;
  } else {
    const int devices = gpu::device_count();
    return static_cast<std::int64_t>(gpu::free_memory()) /
           ((ranks_on_node + devices - 1) / devices);
  }
}

bool mpi_claims_device_support() {
  if constexpr (kernels_run_on_host) return true;
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

std::string device_model() {
  const auto name = describe_device().name;
  if constexpr (kernels_run_on_host) return cpu_model() + ", " + name;
  return name.substr(0, name.find(" GPU-"));
}

}  // namespace halotherm::comm
