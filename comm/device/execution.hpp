// SPDX-License-Identifier: MIT
// Where kernels run, and the two streams that let communication overlap computation.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>

namespace halotherm::comm {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
/// Host memory that the device copies to and from at full speed: page-locked on GPUs, ordinary on
/// CPUs.
using PinnedMemory = Kokkos::SharedHostPinnedSpace;

inline constexpr bool kernels_run_on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;

class StreamEvents;

/// Two execution space instances: `bulk` for the interior's long kernels, `edge` for packing,
/// unpacking and the shell, which goes first where the device has priorities. Each goes on by
/// itself unless it is made to await the other; the host waits in `fence` only, on GPUs. On CPUs
/// both are the same instance. Must end before Kokkos does.
class Streams {
 public:
  Streams();
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  const Space& bulk() const { return bulk_; }
  const Space& edge() const { return edge_; }

  /// What is launched on `bulk` later comes after all that was launched on `edge` before.
  void bulk_awaits_edge() const;
  /// Notes how far `bulk` has been filled.
  void mark_bulk() const;
  /// What is launched on `edge` later comes after all that had been launched on `bulk` when it was
  /// marked last.
  void edge_awaits_mark() const;
  /// Waits for both.
  void fence() const;

 private:
  Space bulk_;
  Space edge_;
  std::unique_ptr<StreamEvents> events_;
};

/// One more instance, for work that nobody waits for soon. On CPUs the same as the others. Must end
/// before Kokkos does.
class OwnStream {
 public:
  OwnStream();
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  const Space& space() const { return space_; }

 private:
  Space space_;
};

/// Size of the last cache before memory [bytes]: a GPU's L2, or all last-level caches that this
/// process' CPUs have, each whole though others may share it; 0 if not known. Arrays must be
/// several times as large if a kernel is to be measured with the memory.
std::int64_t last_level_cache_bytes();

}  // namespace halotherm::comm
