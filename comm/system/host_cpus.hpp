// SPDX-License-Identifier: MIT
// This node's CPUs, as Linux describes them in small files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <string>

namespace halotherm::comm {

/// What the file begins with; none if it cannot be read.
template <class Value>
std::optional<Value> first_in(const std::filesystem::path& file) {
  std::ifstream stream(file);
  Value value{};
  if (stream >> value) return value;
  return std::nullopt;
}

/// Where some thread of this process may run: OpenMP may have bound each thread, the calling one
/// too, to one CPU.
std::set<int> usable_cpus();

/// Time of threads [s]: of those that slept, or waited for a disk, nothing counts.
struct ProcessorTime {
  double had = 0;     ///< on a CPU
  double missed = 0;  ///< ready to run while others had the CPUs

  /// Of the time wanted, from 0 to 1; 1 if none was wanted.
  double share() const { return had + missed > 0 ? had / (had + missed) : 1; }
};
ProcessorTime operator-(const ProcessorTime& later, const ProcessorTime& earlier);

/// Of all threads of this process so far. Linux counts it (schedstat); none where it does not.
std::optional<ProcessorTime> processor_time(const std::filesystem::path& tasks = "/proc/self/task");
/// The same of the calling thread alone.
std::optional<ProcessorTime> thread_processor_time(
    const std::filesystem::path& task = "/proc/thread-self");
/// The share between two of these; 1 where it is not known.
double share_since(const std::optional<ProcessorTime>& before,
                   const std::optional<ProcessorTime>& after);

/// Where Linux shows its CPUs.
inline constexpr auto cpu_folder = "/sys/devices/system/cpu";

/// The mean of the CPUs' present clocks; none if not known.
std::optional<double> mean_clock_mhz(const std::set<int>& cpus,
                                     const std::filesystem::path& folder = cpu_folder);

/// "AMD EPYC 9654 96-Core Processor", or what else the machine calls its CPUs; "CPU" if it does not
/// say.
std::string cpu_model(const std::filesystem::path& file = "/proc/cpuinfo");

/// All last caches before the memory that these CPUs have, each whole though other CPUs may share
/// it; 0 if not known.
std::int64_t last_level_cache_bytes(const std::set<int>& cpus,
                                    const std::filesystem::path& folder = cpu_folder);

}  // namespace halotherm::comm
