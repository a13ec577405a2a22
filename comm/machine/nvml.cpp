// SPDX-License-Identifier: MIT
#include "comm/machine/nvml.hpp"

#include <dlfcn.h>

namespace halotherm::comm {

namespace {

// from nvml.h
constexpr int success = 0;
constexpr unsigned most_nvlinks = 18;
constexpr unsigned by_nvlink = 2;  // NVML_P2P_CAPS_INDEX_NVLINK

/// Calls the library's function of that name. Returns whether that succeeds; a missing library or
/// function is a failure.
template <class... Arguments>
bool call(void* library, const char* name, Arguments... arguments) {
  if (library == nullptr) return false;
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  return function != nullptr && function(arguments...) == success;
}

}  // namespace

std::optional<double> nvlink_rate(int version, int compute_capability) {
  if (version < 1 || version > 7) return std::nullopt;
  if (version == 1) return 20e9;
  return version == 7 && compute_capability != 9 ? 50e9 : 25e9;
}

std::optional<double> pcie_rate(int generation, int lanes) {
  constexpr double bits_per_lane[] = {0,
                                      2.5e9 * 8 / 10,
                                      5e9 * 8 / 10,
                                      8e9 * 128 / 130,
                                      16e9 * 128 / 130,
                                      32e9 * 128 / 130,
                                      64e9 * 242 / 256};
  if (generation < 1 || generation > 6 || lanes < 1) return std::nullopt;
  return lanes * bits_per_lane[generation] / 8;
}

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

template <class Value, class... Arguments>
std::optional<double> Nvml::query(const char* function, Arguments... arguments) const {
  Value value{};
  if (device_ == nullptr || !call(library_.get(), function, device_, arguments..., &value))
    return std::nullopt;
  return static_cast<double>(value);
}

template std::optional<double> Nvml::query<unsigned>(const char*) const;
template std::optional<double> Nvml::query<unsigned>(const char*, unsigned) const;

std::optional<double> Nvml::joules() const {
  const auto millijoules = query<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption");
  return millijoules ? std::optional(*millijoules / 1000) : std::nullopt;
}

std::optional<std::uint64_t> Nvml::clock_limits() const {
  // the old name, since older drivers lack the new one
  const auto bits = query<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons");
  return bits ? std::optional(static_cast<std::uint64_t>(*bits)) : std::nullopt;
}

std::optional<double> Nvml::nvlink_rate() const {
  int major = 0;
  int minor = 0;
  if (device_ == nullptr ||
      !call(library_.get(), "nvmlDeviceGetCudaComputeCapability", device_, &major, &minor))
    return std::nullopt;
  double sum = 0;
  for (unsigned link = 0; link < most_nvlinks; ++link) {
    if (query("nvmlDeviceGetNvLinkState", link).value_or(0) != 1) continue;
    const auto version = query("nvmlDeviceGetNvLinkVersion", link);
    sum += comm::nvlink_rate(static_cast<int>(version.value_or(0)), major).value_or(0);
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

/// Idle GPUs lower their link's generation, so this takes the highest one; lanes do not change.
std::optional<double> Nvml::pcie_rate() const {
  const auto generation = query("nvmlDeviceGetMaxPcieLinkGeneration");
  const auto lanes = query("nvmlDeviceGetCurrPcieLinkWidth");
  return comm::pcie_rate(static_cast<int>(generation.value_or(0)),
                         static_cast<int>(lanes.value_or(0)));
}

bool Nvml::nvlink_joins(const std::string& pci_bus_id) const {
  void* other = nullptr;
  if (device_ == nullptr ||
      !call(library_.get(), "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &other))
    return false;
  return query("nvmlDeviceGetP2PStatus", other, by_nvlink) ==
         success;  // an unavailable status counts as "not connected"
}

bool Nvml::is_partitioned() const {
  unsigned present = 0;
  unsigned after_reset = 0;
  return device_ != nullptr &&
         call(library_.get(), "nvmlDeviceGetMigMode", device_, &present, &after_reset) &&
         present == 1;
}

}  // namespace halotherm::comm
