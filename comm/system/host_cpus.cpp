// SPDX-License-Identifier: MIT
#include "comm/system/host_cpus.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

namespace halotherm::comm {

namespace {

std::string name_of(int cpu) {
  return "cpu" + std::to_string(cpu);
}

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// The time that a thread was ready but not running [s]; none without schedstat. The file's time on
/// a CPU is not used, since it lags by a timer tick.
std::optional<double> missed_by(const std::filesystem::path& task) {
  std::ifstream file(task / "schedstat");
  double had = 0, missed = 0;  // [ns]
  if (!(file >> had >> missed)) return std::nullopt;
  return 1e-9 * missed;
}

struct Cache {
  int level = 0;
  std::string cpus;  ///< the CPUs that share it, which identify it
  std::int64_t bytes = 0;
};

/// The last-level cache of a CPU; level 0 if unknown.
Cache last_of(const std::filesystem::path& caches) {
  Cache last;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(caches, error)) {
    const auto& folder = entry.path();
    const auto level = first_in<int>(folder / "level");
    const auto cpus = first_in<std::string>(folder / "shared_cpu_list");
    const auto kibibytes = first_in<std::int64_t>(folder / "size");  // "32768K"
    if (!level || !cpus || !kibibytes || *level <= last.level ||
        first_in<std::string>(folder / "type") == "Instruction")
      continue;
    last = {*level, *cpus, *kibibytes * 1024};
  }
  return last;
}

}  // namespace

std::set<int> usable_cpus() {
  std::set<int> cpus;
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    cpu_set_t allowed;
    if (sched_getaffinity(std::stoi(thread.path().filename()), sizeof allowed, &allowed) != 0)
      continue;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) cpus.insert(cpu);
    }
  }
  return cpus;
}

ProcessorTime operator-(const ProcessorTime& later, const ProcessorTime& earlier) {
  // threads that ended in between no longer count
  return {later.had - earlier.had, std::max(0.0, later.missed - earlier.missed)};
}

std::optional<ProcessorTime> thread_processor_time(const std::filesystem::path& task) {
  const auto missed = missed_by(task);
  if (!missed) return std::nullopt;
  return ProcessorTime{seconds_of(CLOCK_THREAD_CPUTIME_ID), *missed};
}

std::optional<ProcessorTime> processor_time(const std::filesystem::path& tasks) {
  std::optional<double> missed;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    if (const auto by_thread = missed_by(task.path())) missed = missed.value_or(0) + *by_thread;
  }
  if (!missed) return std::nullopt;
  return ProcessorTime{seconds_of(CLOCK_PROCESS_CPUTIME_ID), *missed};
}

double share_since(const std::optional<ProcessorTime>& before,
                   const std::optional<ProcessorTime>& after) {
  return before && after ? (*after - *before).share() : 1;
}

std::optional<double> mean_clock_mhz(const std::set<int>& cpus,
                                     const std::filesystem::path& folder) {
  double sum = 0;
  int count = 0;
  const auto add = [&](double mhz) {
    sum += mhz;
    ++count;
  };
  for (const int cpu : cpus) {
    if (const auto khz = first_in<double>(folder / name_of(cpu) / "cpufreq/scaling_cur_freq"))
      add(*khz / 1000);
  }
  if (count > 0) return sum / count;
  std::ifstream file("/proc/cpuinfo");
  int cpu = -1;
  for (std::string line; std::getline(file, line);) {
    double mhz = 0;
    std::sscanf(line.c_str(), "processor : %d", &cpu);
    if (std::sscanf(line.c_str(), "cpu MHz : %lf", &mhz) == 1 && cpus.contains(cpu)) add(mhz);
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

std::int64_t last_level_cache_bytes(const std::set<int>& cpus,
                                    const std::filesystem::path& folder) {
  std::map<std::string, std::int64_t> bytes_of;
  for (const int cpu : cpus) {
    const auto cache = last_of(folder / name_of(cpu) / "cache");
    bytes_of[cache.cpus] = cache.bytes;
  }
  std::int64_t sum = 0;
  for (const auto& [sharing, bytes] : bytes_of) sum += bytes;
  return sum;
}

std::string cpu_model(const std::filesystem::path& file) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "CPU";
}

}  // namespace halotherm::comm
