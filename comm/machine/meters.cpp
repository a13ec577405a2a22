// SPDX-License-Identifier: MIT
#include "comm/machine/meters.hpp"

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"
#include "comm/machine/device.hpp"
#include "comm/machine/nvml.hpp"
#include "comm/system/host_cpus.hpp"

#include <string>

namespace halotherm::comm {

std::string_view name_of(ClockLimit limit) {
  constexpr std::string_view names[] = {"none", "power", "heat", "hardware"};
  return names[static_cast<int>(limit)];
}

ClockLimit clock_limit_of(std::uint64_t reasons) {
  // from nvml.h: power limits of software and board; heat seen by software and hardware; hardware
  // without a reason
  constexpr std::uint64_t power = 0x04 | 0x80, heat = 0x20 | 0x40, hardware = 0x08;
  if (reasons & heat) return ClockLimit::heat;
  if (reasons & power) return ClockLimit::power;
  return reasons & hardware ? ClockLimit::hardware : ClockLimit::none;
}

namespace {

/// Kept, since the library takes long to start.
const Nvml& nvml() {
  static const Nvml device(gpu::pci_bus_id_of(current_device()));
  return device;
}

}  // namespace

EnergyMeter::EnergyMeter(const std::filesystem::path& powercap) {
  if constexpr (!kernels_run_on_host) return;
  std::error_code error;
  for (const auto& domain : std::filesystem::directory_iterator(powercap, error)) {
    // not parts of a package (core), its memory (dram) or the whole machine (psys)
    const auto name = first_in<std::string>(domain.path() / "name");
    if (domain.path().filename().string().starts_with("intel-rapl:") && name &&
        name->starts_with("package")) {
      packages_.push_back({domain.path()});
    }
  }
}

std::optional<double> EnergyMeter::joules() const {
  if constexpr (!kernels_run_on_host) return nvml().joules();
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
  if constexpr (kernels_run_on_host) {
    return {mean_clock_mhz(usable_cpus()), {}, {}};
  } else {
    const auto& gpu = nvml();
    return {gpu.compute_mhz(), gpu.memory_mhz(), gpu.highest_compute_mhz(),
            clock_limit_of(gpu.clock_limits().value_or(0))};
  }
}

std::optional<double> peak_memory_bandwidth() {
  if constexpr (kernels_run_on_host) {
    return std::nullopt;
  } else {
    const double khz = gpu::attribute(gpu::Attribute::memory_clock_khz);
    const double bits = gpu::attribute(gpu::Attribute::memory_bus_bits);
    const double hertz = 1e6 * nvml().highest_memory_mhz().value_or(1e-3 * khz);
    const double bytes = nvml().memory_bus_bits().value_or(bits) / 8;
    if (hertz <= 0 || bytes <= 0) return std::nullopt;
    return 2 * hertz * bytes;  // data moves at both clock edges
  }
}

}  // namespace halotherm::comm
