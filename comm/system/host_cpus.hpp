// SPDX-License-Identifier: MIT
// The CPUs of this node, read from Linux' files under /sys and /proc. Everything here is local.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

namespace halotherm::comm {

/// The first value in the file; none if it cannot be read.
template <class Value>
std::optional<Value> first_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Value value{};
  if (stream >> value) return value;
  return std::nullopt;
}

/// The CPUs on which any thread of this process may run. OpenMP may have bound each thread,
/// including the calling one, to one CPU.
std::set<int> usable_cpus();

/// The time of threads that are running or ready to run [s]; sleep and input/output do not count.
struct ProcessorTime {
  double had = 0;     ///< on a CPU
  double missed = 0;  ///< ready to run while other threads had the CPUs

  /// The share of the requested time that was granted, from 0 to 1; 1 if none was requested.
  double share() const { return had + missed > 0 ? had / (had + missed) : 1; }
};
ProcessorTime operator-(const ProcessorTime& later, const ProcessorTime& earlier);

/// The time of all threads of this process so far; none where the kernel has no schedstat.
std::optional<ProcessorTime> processor_time(const std::filesystem::path& tasks = "/proc/self/task");
/// The time of the calling thread so far; none where the kernel has no schedstat.
std::optional<ProcessorTime> thread_processor_time(
    const std::filesystem::path& task = "/proc/thread-self");
/// The share between two times; 1 where it is unknown.
double share_since(const std::optional<ProcessorTime>& before,
                   const std::optional<ProcessorTime>& after);

inline constexpr auto cpu_folder = "/sys/devices/system/cpu";

/// The mean of the CPUs' current clock frequencies; none if unknown.
std::optional<double> mean_clock_mhz(const std::set<int>& cpus,
                                     const std::filesystem::path& folder = cpu_folder);

/// "AMD EPYC 9654 96-Core Processor"; "CPU" if the file names no model.
std::string cpu_model(const std::filesystem::path& file = "/proc/cpuinfo");

/// The size of all last-level caches of these CPUs [bytes]; 0 if unknown. A cache counts fully even
/// if other CPUs share it.
std::int64_t last_level_cache_bytes(const std::set<int>& cpus,
                                    const std::filesystem::path& folder = cpu_folder);

}  // namespace halotherm::comm
