// SPDX-License-Identifier: MIT
// MPI, Kokkos and the device, for as long as the program needs them.
#pragma once

#include "comm/machine/device.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/mpi/rank_texts.hpp"
#include "comm/mpi/watchdog.hpp"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

  /// Collective. Lets reports of stalled ranks name hosts and processes from now on, and the ranks
  /// of a node report together.
  void name_processes();

 private:
  std::optional<Watchdog> watchdog_;
  std::optional<Communicator> world_;
  int uncaught_;
};

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

/// Where the ranks compute. What many have in common is kept once.
class Places {
 public:
  /// What differs from rank to rank.
  struct Own {
    DeviceId device{};
    bool shared = false;  ///< another rank of the node has the same device
  };
  /// One of each rank; `hosts` and `models` as gather_alike gives them.
  Places(RankTexts hosts, RankTexts models, std::vector<Own> own)
      : hosts_(std::move(hosts)), models_(std::move(models)), own_(std::move(own)) {}

  int ranks() const { return static_cast<int>(own_.size()); }
  const std::string& host(int rank) const { return hosts_.of(rank); }
  /// "NVIDIA H200" or "4 OpenMP threads".
  const std::string& model(int rank) const { return models_.of(rank); }
  /// "NVIDIA H200 GPU-6f3c…" or "4 OpenMP threads".
  std::string device(int rank) const;
  bool shared(int rank) const { return own_[static_cast<std::size_t>(rank)].shared; }

 private:
  RankTexts hosts_, models_;
  std::vector<Own> own_;
};

/// Collective, within a DeviceScope. The places of all ranks on rank 0, of none on the others.
Places places(const Communicator& world);

/// Collective, within a DeviceScope. Whether another rank of this rank's node has the same device.
bool device_is_shared(const Communicator& world);

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
