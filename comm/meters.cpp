// SPDX-License-Identifier: MIT
#include "comm/meters.hpp"

#include "comm/device.hpp"
#include "comm/execution.hpp"
#include "comm/host_cpus.hpp"
#include "comm/nvml.hpp"

#include <array>
#include <string>

namespace halotherm::comm {

std::string_view name_of(ClockLimit limit) {
  constexpr std::string_view names[] = {"none", "power", "heat", "hardware"};
  return names[static_cast<int>(limit)];
}

ClockLimit clock_limit_of(std::uint64_t reasons) {
  // from nvml.h: software's and the board's power limits; software's and hardware's heat; hardware, which does not say which
  constexpr std::uint64_t power = 0x04 | 0x80, heat = 0x20 | 0x40, hardware = 0x08;
  if (reasons & heat) return ClockLimit::heat;
  if (reasons & power) return ClockLimit::power;
  return reasons & hardware ? ClockLimit::hardware : ClockLimit::none;
}

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

/// 0 where CUDA does not tell.
int attribute(cudaDeviceAttr which) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, current_device()) == cudaSuccess ? value : 0;
}

std::string pci_bus_id() {
  std::array<char, 32> text{};
  cudaDeviceGetPCIBusId(text.data(), text.size(), current_device());
  return text.data();
}

/// Kept, because starting the library takes long.
const Nvml& gpu() {
  static const Nvml gpu(pci_bus_id());
  return gpu;
}

}  // namespace

EnergyMeter::EnergyMeter(const std::filesystem::path&) {}

std::optional<double> EnergyMeter::joules() const {
  return gpu().joules();
}

Clocks current_clocks() {
  return {gpu().compute_mhz(), gpu().memory_mhz(), gpu().highest_compute_mhz(), clock_limit_of(gpu().clock_limits().value_or(0))};
}

std::optional<double> peak_memory_bandwidth() {
  const double hertz = 1e6 * gpu().highest_memory_mhz().value_or(1e-3 * attribute(cudaDevAttrMemoryClockRate));
  const double bytes = gpu().memory_bus_bits().value_or(attribute(cudaDevAttrGlobalMemoryBusWidth)) / 8;
  if (hertz <= 0 || bytes <= 0) return std::nullopt;
  return 2 * hertz * bytes;  // data moves at both edges of the clock
}

std::int64_t last_level_cache_bytes() {
  return attribute(cudaDevAttrL2CacheSize);
}

#else  // CPUs; of other GPUs nothing is known

EnergyMeter::EnergyMeter(const std::filesystem::path& powercap) {
  if constexpr (!kernels_run_on_host) return;
  std::error_code error;
  for (const auto& domain : std::filesystem::directory_iterator(powercap, error)) {
    // the name tells packages from their parts (core), from their memory (dram) and from the whole machine (psys)
    const auto name = first_in<std::string>(domain.path() / "name");
    if (domain.path().filename().string().starts_with("intel-rapl:") && name && name->starts_with("package")) {
      packages_.push_back({domain.path()});
    }
  }
}

std::optional<double> EnergyMeter::joules() const {
  if (packages_.empty()) return std::nullopt;
  double sum = 0;
  for (auto& package : packages_) {
    const auto now = first_in<std::int64_t>(package.folder / "energy_uj");
    const auto range = first_in<std::int64_t>(package.folder / "max_energy_range_uj");
    if (!now || !range) return std::nullopt;
    package.total += *now - package.last + (*now < package.last ? *range : 0);
    package.last = *now;
    sum += 1e-6 * static_cast<double>(package.total);
  }
  return sum;
}

Clocks current_clocks() {
  if constexpr (!kernels_run_on_host) return {};
  return {.compute_mhz = mean_clock_mhz(usable_cpus()), .memory_mhz = {}, .highest_compute_mhz = {}};
}

std::optional<double> peak_memory_bandwidth() {
  return std::nullopt;
}

std::int64_t last_level_cache_bytes() {
  if constexpr (!kernels_run_on_host) return 0;
  return last_level_cache_bytes(usable_cpus());
}

#endif

}  // namespace halotherm::comm
