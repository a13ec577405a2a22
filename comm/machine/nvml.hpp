// SPDX-License-Identifier: MIT
// NVIDIA's management library, found at run time: programs built with it also start where there is
// none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace halotherm::comm {

/// One GPU as NVML sees it. Asks only, and changes no setting. What the library, the driver or the
/// GPU does not tell is nullopt.
class Nvml {
 public:
  /// The GPU with this PCI bus id, as cudaDeviceGetPCIBusId writes it: CUDA's numbers are not
  /// NVML's.
  explicit Nvml(const std::string& pci_bus_id);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  std::optional<double> joules() const;  ///< since the driver was loaded [J]
  std::optional<double> compute_mhz() const;
  std::optional<double> highest_compute_mhz() const;
  std::optional<double> memory_mhz() const;
  std::optional<double> highest_memory_mhz() const;
  std::optional<double> memory_bus_bits() const;
  /// What holds its clocks back at this moment: bits of nvmlClocksEventReasons.
  std::optional<std::uint64_t> clock_limits() const;

  /// All of its NVLinks that are up, in one direction [bytes/s]; none if no link is up.
  std::optional<double> nvlink_rate() const;
  std::optional<double> pcie_rate() const;  ///< in one direction [bytes/s]
  /// Whether NVLink joins it to that GPU, directly or by switches.
  bool nvlink_joins(const std::string& pci_bus_id) const;
  bool is_partitioned() const;  ///< into MIG instances

 private:
  struct Close {
    void operator()(void* library) const;
  };

  template <class Answer, class... Arguments>
  std::optional<double> ask(const char* function, Arguments... arguments) const;

  std::unique_ptr<void, Close> library_;
  bool started_ = false;
  void* device_ = nullptr;  ///< the library's own, until it is shut down
};

}  // namespace halotherm::comm
