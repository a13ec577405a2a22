// SPDX-License-Identifier: MIT
// MPI, the device and Kokkos, for as long as the program needs them.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/watchdog.hpp"

#include <limits>
#include <optional>
#include <string>

namespace halotherm::comm {

/// Where a rank computes: one line of the start banner.
struct Place {
  int rank = 0;
  std::string host;
  std::string device;   ///< "NVIDIA H200 GPU-6f3c…" or "4 OpenMP threads"
  bool shared = false;  ///< another rank of the node has the same device
};

/// MPI, from start to end, watched by a Watchdog. It asks for calls from any thread
/// (MPI_THREAD_MULTIPLE) and goes on with what the library provides. Make it first in `main`. While
/// an exception unwinds the destructor does not finalize MPI, since other ranks may be elsewhere.
class Environment {
 public:
  Environment(int& argc, char**& argv);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

  const Communicator& world() const { return *world_; }

 private:
  std::optional<Watchdog> watchdog_;
  std::optional<Communicator> world_;
  int uncaught_;
};

/// Collective. From here on reports of ranks that stand still name hosts and processes.
void name_processes(const Communicator& world);

/// Kokkos on this rank's device, for as long as kernels run and anything lives in device memory.
/// The node-local rank takes the visible devices in turn; with OpenMP, and no OMP_NUM_THREADS
/// given, the cores of the node are shared evenly among its ranks, as far as there is work for
/// them.
class DeviceScope {
 public:
  /// Collective. `threads_worth`: more OpenMP threads than these a rank would make nothing faster.
  /// Throws CollectiveError (internal) where no device can be used.
  explicit DeviceScope(const Communicator& world,
                       int threads_worth = std::numeric_limits<int>::max());
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
};

/// Collective, within a DeviceScope. All ranks' places, in the order of the ranks.
std::vector<Place> places(const Communicator& world);

/// Whether the MPI library says that it takes device pointers; always true where kernels run in
/// host memory.
bool mpi_claims_device_support();
/// Whether any thread may call MPI, at the same time as others (MPI_THREAD_MULTIPLE).
bool threads_may_call_mpi();
/// The MPI library's name and version, one line.
std::string mpi_library();

/// Of the machine that this rank runs on.
std::string host_name();

}  // namespace halotherm::comm
