// SPDX-License-Identifier: MIT
// What the device of this rank, a GPU or the node's CPUs, says of itself while kernels run.
// Everything here is local, reads only, and waits for no kernel. Call it within a DeviceScope. What
// cannot be read is nullopt; AMD and Intel GPUs are not read yet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace halotherm::comm {

/// The energy that the whole device took: a GPU with its memory (NVML), or all CPU packages of the
/// node without theirs (RAPL, since Linux 5.10 for root only). Ranks that share a device, or a
/// node's CPUs, read the same counter: count it once. It moves in steps of up to 0.1 s, so measure
/// seconds:
///
///     const EnergyMeter meter;
///     const auto before = meter.joules();  // then the work, then meter.joules() again
class EnergyMeter {
 public:
  /// `powercap`: where Linux shows RAPL's counters; GPUs do not need it.
  explicit EnergyMeter(const std::filesystem::path& powercap = "/sys/class/powercap");

  /// [J] since some moment. CPU counters start again after 65 kJ or more, minutes under load, which
  /// is seen if it happened once since the last call: call at least once a minute. Not from two
  /// threads at once.
  std::optional<double> joules() const;

 private:
  struct Package {
    std::filesystem::path folder;
    std::int64_t last = 0;   ///< what the counter said [µJ]
    std::int64_t total = 0;  ///< what it would say had it never started again [µJ]
  };
  mutable std::vector<Package> packages_;  ///< none on GPUs
};

/// Why a device runs slower than it can, the gravest reason.
enum class ClockLimit { none, power, heat, hardware };
std::string_view name_of(ClockLimit limit);

/// Of NVML's bits (nvmlClocksEventReasons): those that tell of a limit, not of idleness or
/// settings.
ClockLimit clock_limit_of(std::uint64_t reasons);

struct Clocks {
  std::optional<double> compute_mhz;  ///< of a GPU's multiprocessors, or the mean of this process'
                                      ///< CPUs (virtual ones: nominal)
  std::optional<double> memory_mhz;   ///< GPUs only
  std::optional<double> highest_compute_mhz;  ///< GPUs only
  ClockLimit limit = ClockLimit::none;        ///< GPUs only
};

/// At this moment: idle devices clock down, so ask while kernels run.
Clocks current_clocks();

/// What the device memory's pins can carry, which no kernel quite reaches [bytes/s]. None on CPUs,
/// where the memory's speed and number of channels are in tables that only root may read (DMI).
std::optional<double> peak_memory_bandwidth();

}  // namespace halotherm::comm
