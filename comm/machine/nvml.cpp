// SPDX-License-Identifier: MIT
#include "comm/machine/nvml.hpp"

#include "comm/machine/link_rates.hpp"

#include <dlfcn.h>

namespace halotherm::comm {

namespace {

// from nvml.h
constexpr int success = 0;
constexpr unsigned multiprocessor_clock = 1;
constexpr unsigned memory_clock = 2;
constexpr unsigned most_nvlinks = 18;
constexpr unsigned by_nvlink = 2;  // NVML_P2P_CAPS_INDEX_NVLINK

/// Calls the library's function of that name; success is 0, and a missing library or function
/// fails.
template <class... Arguments>
bool call(void* library, const char* name, Arguments... arguments) {
  if (library == nullptr) return false;
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  return function != nullptr && function(arguments...) == success;
}

}  // namespace

void Nvml::Close::operator()(void* library) const {
  dlclose(library);
}

Nvml::Nvml(const std::string& pci_bus_id)
    : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)),
      started_(call(library_.get(), "nvmlInit_v2")) {
  if (started_ &&
      !call(library_.get(), "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_))
    device_ = nullptr;
}

Nvml::~Nvml() {
  if (started_) call(library_.get(), "nvmlShutdown");
}

template <class Answer, class... Arguments>
std::optional<double> Nvml::ask(const char* function, Arguments... arguments) const {
  Answer answer{};
  if (device_ == nullptr || !call(library_.get(), function, device_, arguments..., &answer))
    return std::nullopt;
  return static_cast<double>(answer);
}

std::optional<double> Nvml::joules() const {
  const auto millijoules = ask<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption");
  return millijoules ? std::optional(*millijoules / 1000) : std::nullopt;
}

std::optional<double> Nvml::compute_mhz() const {
  return ask<unsigned>("nvmlDeviceGetClockInfo", multiprocessor_clock);
}

std::optional<double> Nvml::highest_compute_mhz() const {
  return ask<unsigned>("nvmlDeviceGetMaxClockInfo", multiprocessor_clock);
}

std::optional<double> Nvml::memory_mhz() const {
  return ask<unsigned>("nvmlDeviceGetClockInfo", memory_clock);
}

std::optional<double> Nvml::highest_memory_mhz() const {
  return ask<unsigned>("nvmlDeviceGetMaxClockInfo", memory_clock);
}

std::optional<std::uint64_t> Nvml::clock_limits() const {
  // this name, since older drivers do not know the new one
  const auto bits = ask<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons");
  return bits ? std::optional(static_cast<std::uint64_t>(*bits)) : std::nullopt;
}

std::optional<double> Nvml::memory_bus_bits() const {
  return ask<unsigned>("nvmlDeviceGetMemoryBusWidth");
}

std::optional<double> Nvml::nvlink_rate() const {
  int major = 0;
  int minor = 0;
  if (device_ == nullptr ||
      !call(library_.get(), "nvmlDeviceGetCudaComputeCapability", device_, &major, &minor))
    return std::nullopt;
  double sum = 0;
  for (unsigned link = 0; link < most_nvlinks; ++link) {
    if (ask<unsigned>("nvmlDeviceGetNvLinkState", link).value_or(0) != 1) continue;
    const auto version = ask<unsigned>("nvmlDeviceGetNvLinkVersion", link);
    sum += comm::nvlink_rate(static_cast<int>(version.value_or(0)), major).value_or(0);
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

/// An idle GPU lowers its link's generation, so the highest one counts; the lanes stay as they are.
std::optional<double> Nvml::pcie_rate() const {
  const auto generation = ask<unsigned>("nvmlDeviceGetMaxPcieLinkGeneration");
  const auto lanes = ask<unsigned>("nvmlDeviceGetCurrPcieLinkWidth");
  return comm::pcie_rate(static_cast<int>(generation.value_or(0)),
                         static_cast<int>(lanes.value_or(0)));
}

bool Nvml::nvlink_joins(const std::string& pci_bus_id) const {
  void* other = nullptr;
  if (device_ == nullptr ||
      !call(library_.get(), "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &other))
    return false;
  return ask<unsigned>("nvmlDeviceGetP2PStatus", other, by_nvlink) ==
         success;  // that no status is told is no success
}

bool Nvml::is_partitioned() const {
  unsigned present = 0;
  unsigned after_reset = 0;
  return device_ != nullptr &&
         call(library_.get(), "nvmlDeviceGetMigMode", device_, &present, &after_reset) &&
         present == 1;
}

}  // namespace halotherm::comm
