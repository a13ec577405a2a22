// SPDX-License-Identifier: MIT
// Energy, clocks and memory bandwidth of this rank's device, a GPU or the node's CPUs. Everything
// here is local and read-only, and waits for no kernel. For use within a DeviceScope. Values that
// cannot be read are nullopt; AMD and Intel GPUs are not supported yet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace halotherm::comm {

/// The energy of the whole device: a GPU with its memory (NVML), or all CPU packages of the node
/// without their memory (RAPL, which Linux 5.10 and later show to root only). Ranks that share a
/// device or a node read the same counter: count it once. It advances in steps of up to 0.1 s, so
/// measure over seconds:
///
///     const EnergyMeter meter;
///     const auto before = meter.joules();  // then the work, then meter.joules() again
class EnergyMeter {
 public:
  /// `powercap`: the folder of RAPL's counters; unused on GPUs.
  explicit EnergyMeter(const std::filesystem::path& powercap = "/sys/class/powercap");

  /// The energy since an arbitrary moment [J]. CPU counters wrap around after 65 kJ or more,
  /// minutes under load. One wrap between two calls is handled, so call it once a minute. For one
  /// thread at a time.
  std::optional<double> joules() const;

 private:
  struct Package {
    std::filesystem::path folder;
    std::int64_t last = 0;   ///< the counter [µJ]
    std::int64_t total = 0;  ///< the counter without wrap-around [µJ]
  };
  mutable std::vector<Package> packages_;  ///< empty on GPUs
};

/// Why a device runs below its highest clock; the most severe reason.
enum class ClockLimit { none, power, heat, hardware };
std::string_view name_of(ClockLimit limit);

/// The limit in NVML's bits (nvmlClocksEventReasons). Idleness and settings are no limits.
ClockLimit clock_limit_of(std::uint64_t reasons);

struct Clocks {
  /// A GPU's multiprocessors, or the mean of this process' CPUs (on virtual machines nominal).
  std::optional<double> compute_mhz;
  std::optional<double> memory_mhz;           ///< GPUs only
  std::optional<double> highest_compute_mhz;  ///< GPUs only
  ClockLimit limit = ClockLimit::none;        ///< GPUs only
};

/// The present clocks. Idle devices lower them, so call it while kernels run.
Clocks current_clocks();

/// The bandwidth of the device memory's pins, which no kernel quite reaches [bytes/s]. None on
/// CPUs, where only root may read the memory's speed and channels (DMI tables).
std::optional<double> peak_memory_bandwidth();

}  // namespace halotherm::comm
