// SPDX-License-Identifier: MIT
// Kernels of several devices in step with each other, by flags in their memory instead of messages
// between their hosts.
#pragma once

#include "comm/device/launch_teams.hpp"

#include <algorithm>
#include <cstdint>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda/atomic>
#endif

namespace halotherm::comm {

/// In device memory: the number of the last message that has arrived, counted round and round.
/// Others set it.
using Flag = std::uint32_t;
inline constexpr int most_flags = 26;  ///< a block's neighbours

/// What a kernel awaits before it reads messages; nothing, if there are no flags.
struct Arrivals {
  int count = 0;
  Flag number = 0;
  const Flag* flags[most_flags] = {};
};

/// What a kernel tells when it has written messages.
struct Departures {
  int count = 0;
  Flag number = 0;
  Flag* flags[most_flags] = {};  ///< in the memory of any device
  Flag* teams_done = nullptr;    ///< in this device's memory; 0 between kernels
};

/// One value's way, for bodies that offer `copy(slot)` beside `body(slot)`, so that several values
/// are on their way at once.
template <class Real>
struct Copy {
  const Real* from;
  Real* to;
  Real value;
  KOKKOS_INLINE_FUNCTION void load() { value = *from; }
  KOKKOS_INLINE_FUNCTION void store() const { *to = value; }
};

/// `body(slot)` for each slot, then the departures.
template <class Body>
struct Sending {
  Departures departures;
  std::int64_t slots = 0;
  Body body;
};

/// The arrivals, then `body(slot)` for each slot.
template <class Body>
struct Receiving {
  Arrivals arrivals;
  std::int64_t slots = 0;
  Body body;
};

/// No work.
struct Nothing {
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t) const {}
};

#if defined(KOKKOS_ENABLE_CUDA)

namespace detail {

using SystemFlag = cuda::atomic_ref<Flag, cuda::thread_scope_system>;
using DeviceCounter = cuda::atomic_ref<Flag, cuda::thread_scope_device>;

template <class Body>
__device__ void visit_slots(std::int64_t slots, const Body& body) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  std::int64_t slot = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if constexpr (requires { body.copy(slot); }) {
    constexpr int batch = 4;  // loads that a thread has on their way at once
    for (; slot + (batch - 1) * threads < slots; slot += batch * threads) {
      decltype(body.copy(slot)) copies[batch];
      for (int n = 0; n < batch; ++n) copies[n] = body.copy(slot + n * threads);
      for (auto& copy : copies) copy.load();
      for (auto& copy : copies) copy.store();
    }
  }
  for (; slot < slots; slot += threads) body(slot);
}

/// By the last team that is done: whoever sees a flag also sees all that any team has written.
__device__ inline void tell(const Departures& departures) {
  __syncthreads();
  if (threadIdx.x > 0 || departures.count == 0) return;
  DeviceCounter done(*departures.teams_done);
  if (done.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) return;
  done.store(0, cuda::memory_order_relaxed);
  cuda::atomic_thread_fence(
      cuda::memory_order_acq_rel,
      cuda::thread_scope_system);  // one for all flags: it waits for the links
  for (int n = 0; n < departures.count; ++n)
    SystemFlag(*departures.flags[n]).store(departures.number, cuda::memory_order_relaxed);
}

__device__ inline void await(const Arrivals& arrivals) {
  if (static_cast<int>(threadIdx.x) < arrivals.count) {
    const SystemFlag flag(*const_cast<Flag*>(arrivals.flags[threadIdx.x]));
    while (static_cast<std::int32_t>(flag.load(cuda::memory_order_acquire) - arrivals.number) < 0) {
    }
  }
  __syncthreads();
}

template <class Send, class Receive>
__global__ void run_flagged(const __grid_constant__ Sending<Send> sending,
                            const __grid_constant__ Receiving<Receive> receiving) {
  visit_slots(sending.slots, sending.body);
  tell(sending.departures);
  await(receiving.arrivals);
  visit_slots(receiving.slots, receiving.body);
}

}  // namespace detail

/// Enough that links are full, and no more, since teams that wait take room from other kernels: two
/// values a thread until there is a team on every other multiprocessor, then 16. Half of the device
/// at most: all teams find room at once, without which they could wait for ever for what their own
/// device has still to send.
inline unsigned teams_of(const Space& space, std::int64_t slots, int threads) {
  const std::int64_t multiprocessors = space.cuda_device_prop().multiProcessorCount;
  const auto quick = (slots + 2 * threads - 1) / (2 * threads);
  const auto frugal = std::max(multiprocessors / 2, slots / (16 * threads));
  return static_cast<unsigned>(
      std::min<std::int64_t>({quick, frugal, space.concurrency() / (2 * threads)}));
}

/// One kernel that sends, then receives. Asynchronous on `space`. Processes that share a device
/// wait for each other up to a time slice.
template <class Send, class Receive = Nothing>
void launch_flagged(const Space& space, const char* label, const Sending<Send>& sending,
                    const Receiving<Receive>& receiving = {}) {
  constexpr int threads = 256;
  const std::int64_t slots = std::max(sending.slots, receiving.slots);
  if (slots == 0) return;
  const auto teams = teams_of(space, slots, threads);
  detail::profiled_launch(space, label, [&] {
    detail::run_flagged<<<teams, threads, 0, space.cuda_stream()>>>(sending, receiving);
  });
}

#else

template <class Send, class Receive = Nothing>
void launch_flagged(const Space&, const char*, const Sending<Send>&,
                    const Receiving<Receive>& = {}) {
  Kokkos::abort("flags where no kernel can wait for them");
}

#endif

}  // namespace halotherm::comm
