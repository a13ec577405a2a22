// SPDX-License-Identifier: MIT
// Where kernels run, and the two streams by which communication overlaps computation.
#pragma once

#include "comm/device/gpu_runtime.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace halotherm::comm {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
/// Host memory that the device copies to and from at full speed: page-locked on GPUs, ordinary on
/// CPUs.
using PinnedMemory = Kokkos::SharedHostPinnedSpace;

inline constexpr bool kernels_run_on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;

/// An execution space instance of its own; on CPUs the default one. The destructor waits for its
/// kernels. Must end before Kokkos does.
class OwnStream {
 public:
  explicit OwnStream(gpu::Priority priority = gpu::Priority::low);
  ~OwnStream();
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  const Space& space() const { return space_; }

 private:
  Space space_;
};

/// Two execution space instances: `bulk` for the interior's long kernels; `edge`, with a higher
/// priority on GPUs, for packing, unpacking and the shell. They run independently unless one is
/// made to wait for the other. On GPUs the host blocks in `fence` only. On CPUs both are the
/// default instance, and the host blocks instead of a stream. Must end before Kokkos does.
class Streams {
 public:
  const Space& bulk() const { return bulk_.space(); }
  const Space& edge() const { return edge_.space(); }

  /// Later launches on `bulk` wait for all earlier launches on `edge`.
  void bulk_awaits_edge() const;
  /// Marks the end of the launches on `bulk` so far.
  void mark_bulk() const;
  /// Later launches on `edge` wait for the launches on `bulk` before the last mark.
  void edge_awaits_mark() const;
  /// Blocks until both streams are idle.
  void fence() const;

 private:
  OwnStream bulk_;
  OwnStream edge_{gpu::Priority::high};
#if defined(KOKKOS_ENABLE_CUDA)
  gpu::Event bulk_mark_;
  gpu::Event edge_end_;
#endif
};

/// The size of the last cache before memory [bytes]: a GPU's L2, or all last-level caches of this
/// process' CPUs, which count fully even if others share them; 0 if unknown. Arrays must be several
/// times as large for a kernel to be limited by memory.
std::int64_t last_level_cache_bytes();

/// Requests pages of 2 MiB for host memory that is not yet touched, where Linux leaves the choice
/// to programs (/sys/kernel/mm/transparent_hugepage/enabled: madvise). Pages of 4 KiB hold one row
/// of 512 doubles, and a stencil with ten rows in flight then waits for address translations.
/// Failures are ignored.
void prefer_large_pages(void* memory, std::size_t bytes);

}  // namespace halotherm::comm
