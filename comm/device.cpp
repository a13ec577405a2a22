// SPDX-License-Identifier: MIT
#include "comm/device.hpp"

#include "comm/environment.hpp"
#include "comm/error.hpp"
#include "comm/execution.hpp"
#include "comm/host_cpus.hpp"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <array>
#include <cstdio>
#include <fstream>
#include <limits>

namespace halotherm::comm {

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// As nvidia-smi prints it.
std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (int byte = 0; byte < 16; ++byte) {
    std::array<char, 3> hex{};
    std::snprintf(hex.data(), hex.size(), "%02x", static_cast<unsigned char>(uuid.bytes[byte]));
    text += hex.data();
    if (byte == 3 || byte == 5 || byte == 7 || byte == 9) text += '-';
  }
  return text;
}

}  // namespace

std::optional<int> choose_device(int node_rank) {
  int devices = 0;
  const auto status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    throw Error(ExitCode::internal,
                std::string("no GPU can be used (") + cudaGetErrorString(status) +
                    ") check nvidia-smi and CUDA_VISIBLE_DEVICES, ask the scheduler for a GPU, or build the cpu preset");
  }
  return node_rank % devices;
}

int current_device() {
  int device = 0;
  cudaGetDevice(&device);
  return device;
}

DeviceDescription describe_device() {
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, current_device());
  const auto uuid = uuid_text(properties.uuid);
  return {std::string(properties.name) + " " + uuid, uuid};
}

std::int64_t available_memory(int ranks_on_node) {
  int devices = 1;
  std::size_t free = 0;
  std::size_t total = 0;
  cudaGetDeviceCount(&devices);
  cudaMemGetInfo(&free, &total);
  return static_cast<std::int64_t>(free) / ((ranks_on_node + devices - 1) / devices);
}

#else

std::int64_t available_memory(int ranks_on_node) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  std::string unit;
  while (file >> name >> kibibytes >> unit) {
    if (name == "MemAvailable:") return kibibytes * 1024 / ranks_on_node;
    file.ignore(1, '\n');
  }
  return std::numeric_limits<std::int64_t>::max();  // not known here
}

std::optional<int> choose_device(int) {
  return std::nullopt;
}

int current_device() {
  return 0;
}

DeviceDescription describe_device() {
  const int threads = Space().concurrency();
  return {std::to_string(threads) + " " + Space::name() + (threads == 1 ? " thread" : " threads"), ""};
}

#endif

bool mpi_claims_device_support() {
  if constexpr (kernels_run_on_host) return true;
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
  return MPIX_Query_cuda_support() == 1;
#elif defined(KOKKOS_ENABLE_HIP) && defined(MPIX_ROCM_AWARE_SUPPORT) && MPIX_ROCM_AWARE_SUPPORT
  return MPIX_Query_rocm_support() == 1;
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
