// SPDX-License-Identifier: MIT
// NVIDIA's management library, loaded at run time so that programs also start without it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace halotherm::comm {

/// The rate of one NVLink in one direction [bytes/s]; none if unknown. `version`: the number from
/// nvmlDeviceGetNvLinkVersion (nvmlNvlinkVersion_t): 1 is NVLink 1.0, 2 and 3 are 2.x, 4 and 5 are
/// 3.x, 6 is 4.0, 7 is 5.0. The rates are those of NVIDIA's whitepapers: P100 (20 GB/s), V100, A100
/// and H100 (25), Blackwell (50). Some drivers report version 5.0 for Hopper, compute capability 9.
std::optional<double> nvlink_rate(int version, int compute_capability);

/// The rate of a PCI Express link in one direction without its line code [bytes/s]; none if
/// unknown. The code is 8b/10b for generations 1 and 2, 128b/130b for 3 to 5, and flits of 242 in
/// 256 bytes for 6 (PCI-SIG's base specifications). Packet headers are not subtracted.
std::optional<double> pcie_rate(int generation, int lanes);

/// One GPU as NVML sees it, read-only. A result is nullopt where the library, the driver or the GPU
/// does not report it.
class Nvml {
 public:
  /// The GPU with this PCI bus id, from gpu::pci_bus_id_of; the device numbers of CUDA and NVML
  /// differ.
  explicit Nvml(const std::string& pci_bus_id);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The energy since the driver was loaded [J].
  std::optional<double> joules() const;
  std::optional<double> compute_mhz() const { return query("nvmlDeviceGetClockInfo", compute); }
  std::optional<double> highest_compute_mhz() const {
    return query("nvmlDeviceGetMaxClockInfo", compute);
  }
  std::optional<double> memory_mhz() const { return query("nvmlDeviceGetClockInfo", memory); }
  std::optional<double> highest_memory_mhz() const {
    return query("nvmlDeviceGetMaxClockInfo", memory);
  }
  std::optional<double> memory_bus_bits() const { return query("nvmlDeviceGetMemoryBusWidth"); }
  /// The current reasons for reduced clocks: bits of nvmlClocksEventReasons.
  std::optional<std::uint64_t> clock_limits() const;

  /// The rate of all active NVLinks together in one direction [bytes/s]; none if none is active.
  std::optional<double> nvlink_rate() const;
  /// The rate of the PCI Express link in one direction [bytes/s].
  std::optional<double> pcie_rate() const;
  /// Whether NVLink joins it to that GPU, directly or through switches.
  bool nvlink_joins(const std::string& pci_bus_id) const;
  /// Whether it is divided into MIG instances.
  bool is_partitioned() const;

 private:
  struct Close {
    void operator()(void* library) const;
  };

  static constexpr unsigned compute = 1, memory = 2;  ///< clocks, from nvml.h

  template <class Value = unsigned, class... Arguments>
  std::optional<double> query(const char* function, Arguments... arguments) const;

  std::unique_ptr<void, Close> library_;
  bool started_ = false;
  void* device_ = nullptr;  ///< valid until the library is shut down
};

}  // namespace halotherm::comm
