// SPDX-License-Identifier: MIT
#include "comm/nvml.hpp"

#include <dlfcn.h>

namespace halotherm::comm {

namespace {

// from nvml.h
constexpr int success = 0;
constexpr unsigned multiprocessor_clock = 1;
constexpr unsigned memory_clock = 2;

/// Calls the library's function of that name; success is 0, and a missing library or function fails.
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
    : library_(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL)), started_(call(library_.get(), "nvmlInit_v2")) {
  if (started_ && !call(library_.get(), "nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device_)) device_ = nullptr;
}

Nvml::~Nvml() {
  if (started_) call(library_.get(), "nvmlShutdown");
}

template <class Answer, class... Arguments>
std::optional<double> Nvml::ask(const char* function, Arguments... arguments) const {
  Answer answer{};
  if (device_ == nullptr || !call(library_.get(), function, device_, arguments..., &answer)) return std::nullopt;
  return static_cast<double>(answer);
}

std::optional<double> Nvml::joules() const {
  const auto millijoules = ask<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption");
  return millijoules ? std::optional(*millijoules / 1000) : std::nullopt;
}

std::optional<double> Nvml::compute_mhz() const {
  return ask<unsigned>("nvmlDeviceGetClockInfo", multiprocessor_clock);
}

std::optional<double> Nvml::memory_mhz() const {
  return ask<unsigned>("nvmlDeviceGetClockInfo", memory_clock);
}

std::optional<double> Nvml::highest_memory_mhz() const {
  return ask<unsigned>("nvmlDeviceGetMaxClockInfo", memory_clock);
}

std::optional<double> Nvml::memory_bus_bits() const {
  return ask<unsigned>("nvmlDeviceGetMemoryBusWidth");
}

}  // namespace halotherm::comm
