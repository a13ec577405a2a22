// SPDX-License-Identifier: MIT
// MPI, Kokkos and the device, for as long as the program needs them.
#pragma once

#include "comm/mpi/communicator.hpp"
#include "comm/mpi/watchdog.hpp"

#include <limits>
#include <optional>
#include <string>

namespace halotherm::comm {

/// Makes waiting threads and ranks give up their cores. By default they spin, on shared cores for
/// the time that others need to work, so that steps take 20 to 90 times as long. This limits the
/// spinning of OpenMP's threads (GOMP_SPINCOUNT) and lets Open MPI yield
/// (OMPI_MCA_mpi_yield_when_idle). Both libraries read environment variables only, and GCC's OpenMP
/// reads them before `main`, so the process sets them and executes the program anew. Variables that
/// are already set, OMP_WAIT_POLICY included, stay. Does nothing where kernels run on GPUs. Call it
/// first in `main`, before MPI starts.
void wait_without_spinning(char** argv);

/// MPI from start to end, with a Watchdog. Requests MPI_THREAD_MULTIPLE and accepts less. The
/// destructor finalizes MPI, except while an exception unwinds, since other ranks may be elsewhere.
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

/// Collective. Lets reports of stalled ranks name hosts and processes from now on.
void name_processes(const Communicator& world);

/// Kokkos on this rank's device, for as long as kernels run or anything lives in device memory. The
/// ranks of a node take the visible devices in turn. With OpenMP, and without OMP_NUM_THREADS, they
/// share the cores of the node evenly.
class DeviceScope {
 public:
  /// Collective. `threads_worth`: the number of OpenMP threads beyond which a rank gets no faster.
  /// Throws CollectiveError (internal) where no device can be used.
  explicit DeviceScope(const Communicator& world,
                       int threads_worth = std::numeric_limits<int>::max());
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
};

/// Where a rank computes: one line of the start banner.
struct Place {
  int rank = 0;
  std::string host;
  std::string device;   ///< "NVIDIA H200 GPU-6f3c…" or "4 OpenMP threads"
  bool shared = false;  ///< another rank of the node has the same device
};

/// Collective, within a DeviceScope. The places of all ranks, in the order of the ranks.
std::vector<Place> places(const Communicator& world);

/// Whether the MPI library reports that it accepts device pointers; true where kernels run in host
/// memory.
bool mpi_claims_device_support();
/// Whether all threads may call MPI at the same time (MPI_THREAD_MULTIPLE).
bool threads_may_call_mpi();
/// The MPI library's name and version, one line.
std::string mpi_library();

/// The name of the host of this rank.
std::string host_name();

}  // namespace halotherm::comm
