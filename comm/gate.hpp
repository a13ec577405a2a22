// SPDX-License-Identifier: MIT
// Kernels of several devices in step with each other, by flags in their memory instead of messages between their hosts.
#pragma once

#include "comm/launch_teams.hpp"

#include <algorithm>
#include <cstdint>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda/atomic>
#endif

namespace halotherm::comm {

/// What a kernel awaits before its first access and tells after its last one. Without flags it is open: there is nothing to await.
struct Gate {
  using Flag = std::uint32_t;
  static constexpr int capacity = 26;  ///< neighbours of a block

  int flags = 0;
  Flag* awaited[capacity] = {};  ///< in this device's memory; set by others, cleared by the kernel
  Flag* told[capacity] = {};     ///< in the memory of any device; set by the kernel
  Flag* teams_done = nullptr;    ///< in this device's memory; 0 between kernels

  bool open() const { return flags == 0; }
};

/// A part of a kernel's work: `body(slot)` for each slot, behind a gate.
template <class Body>
struct Gated {
  Gate gate;
  std::int64_t slots = 0;
  Body body;
};

/// No work.
struct Nothing {
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t) const {}
};

#if defined(KOKKOS_ENABLE_CUDA)

namespace detail {

using SystemFlag = cuda::atomic_ref<Gate::Flag, cuda::thread_scope_system>;
using DeviceCounter = cuda::atomic_ref<Gate::Flag, cuda::thread_scope_device>;

__device__ inline void await(const Gate& gate) {
  if (static_cast<int>(threadIdx.x) < gate.flags) {
    const SystemFlag flag(*gate.awaited[threadIdx.x]);
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
  }
  __syncthreads();
}

/// The last team that is done tells: whoever sees a flag set also sees all that any team has written.
__device__ inline void pass_on(const Gate& gate) {
  __syncthreads();
  if (threadIdx.x > 0 || gate.flags == 0) return;
  DeviceCounter done(*gate.teams_done);
  if (done.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) return;
  done.store(0, cuda::memory_order_relaxed);
  for (int n = 0; n < gate.flags; ++n) SystemFlag(*gate.awaited[n]).store(0, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);  // one for all flags: it waits for the links
  for (int n = 0; n < gate.flags; ++n) SystemFlag(*gate.told[n]).store(1, cuda::memory_order_relaxed);
}

template <class Body>
__device__ void work_behind(const Gated<Body>& part) {
  await(part.gate);
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; slot < part.slots; slot += threads) part.body(slot);
  pass_on(part.gate);
}

template <class First, class Second>
__global__ void run_gated(const __grid_constant__ Gated<First> first, const __grid_constant__ Gated<Second> second) {
  work_behind(first);
  work_behind(second);
}

}  // namespace detail

/// Launches one kernel that does `first`, then `second`. Asynchronous on `space`. What the second gate awaits may depend on what
/// the first one tells. The kernel takes half of the device at most: all its teams find room at once, without which they could
/// wait for each other for ever, and while they wait other kernels get on. Processes that share a device wait for each other up to
/// a time slice.
template <class First, class Second = Nothing>
void launch_gated(const Space& space, const char* label, const Gated<First>& first, const Gated<Second>& second = {}) {
  constexpr int threads = 256;
  constexpr int slots_a_thread = 2;
  const std::int64_t slots = std::max(first.slots, second.slots);
  if (slots == 0) return;
  const auto teams = std::min<std::int64_t>((slots + slots_a_thread * threads - 1) / (slots_a_thread * threads),
                                            space.concurrency() / (2 * threads));
  detail::profiled_launch(
      space, label, [&] { detail::run_gated<<<static_cast<unsigned>(teams), threads, 0, space.cuda_stream()>>>(first, second); });
}

#else

template <class First, class Second = Nothing>
void launch_gated(const Space&, const char*, const Gated<First>&, const Gated<Second>& = {}) {
  Kokkos::abort("a gate where no kernel can wait at it");
}

#endif

}  // namespace halotherm::comm
