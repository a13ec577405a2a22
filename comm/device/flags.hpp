// SPDX-License-Identifier: MIT
// Kernels that synchronise with kernels of other devices by flags in device memory, without their
// hosts.
#pragma once

#include "comm/device/launch_teams.hpp"

#include <algorithm>
#include <cstdint>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda/atomic>
#endif

namespace halotherm::comm {

/// In device memory: the number of the last message that has arrived, modulo 2^32. The sender sets
/// it.
using Flag = std::uint32_t;
inline constexpr int most_flags = 26;  ///< neighbours of a block

/// The flags that a kernel waits for before it reads messages; none if `count` is 0.
struct Waits {
  int count = 0;
  Flag number = 0;             ///< the least value to wait for
  const Flag* base = nullptr;  ///< in device memory, added to the number; or nothing
  const Flag* flags[most_flags] = {};
};

/// The flags that a kernel signals after it has written messages; none if `count` is 0.
struct Signals {
  int count = 0;
  Flag number = 0;               ///< the value to store
  const Flag* base = nullptr;    ///< in device memory, added to the number; or nothing
  Flag* flags[most_flags] = {};  ///< in the memory of any device
  Flag* teams_done = nullptr;    ///< in this device's memory; 0 between kernels
};

/// One value to copy. Bodies may offer `copy(slot)` beside `body(slot)`, so that a thread has
/// several loads in flight.
template <class Real>
struct Copy {
  const Real* from;
  Real* to;
  Real value;
  KOKKOS_INLINE_FUNCTION void load() { value = *from; }
  KOKKOS_INLINE_FUNCTION void store() const { *to = value; }
};

/// `body(slot)` for each slot, then the signals.
template <class Body>
struct Sending {
  Signals signals;
  std::int64_t slots = 0;
  Body body;
};

/// The waits, then `body(slot)` for each slot.
template <class Body>
struct Receiving {
  Waits waits;
  std::int64_t slots = 0;
  Body body;
};

/// An empty body.
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
    constexpr int batch = 4;  // loads in flight per thread
    for (; slot + (batch - 1) * threads < slots; slot += batch * threads) {
      decltype(body.copy(slot)) copies[batch];
      for (int n = 0; n < batch; ++n) copies[n] = body.copy(slot + n * threads);
      for (auto& copy : copies) copy.load();
      for (auto& copy : copies) copy.store();
    }
  }
  for (; slot < slots; slot += threads) body(slot);
}

/// Signals from the last team that is done: a waiting kernel that sees a flag also sees what all
/// teams have written.
__device__ inline void signal(const Signals& signals) {
  __syncthreads();
  if (threadIdx.x > 0 || signals.count == 0) return;
  DeviceCounter done(*signals.teams_done);
  if (done.fetch_add(1, cuda::memory_order_acq_rel) + 1 < gridDim.x) return;
  done.store(0, cuda::memory_order_relaxed);
  const Flag number = signals.number + (signals.base == nullptr ? 0 : *signals.base);
  // one fence for all flags, since it waits for the links
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
  for (int n = 0; n < signals.count; ++n)
    SystemFlag(*signals.flags[n]).store(number, cuda::memory_order_relaxed);
}

__device__ inline void wait(const Waits& waits) {
  if (static_cast<int>(threadIdx.x) < waits.count) {
    const Flag number = waits.number + (waits.base == nullptr ? 0 : *waits.base);
    const SystemFlag flag(*const_cast<Flag*>(waits.flags[threadIdx.x]));
    while (static_cast<std::int32_t>(flag.load(cuda::memory_order_acquire) - number) < 0) {
    }
  }
  __syncthreads();
}

template <class Send, class Receive>
__global__ void run_flagged(const __grid_constant__ Sending<Send> sending,
                            const __grid_constant__ Receiving<Receive> receiving) {
  visit_slots(sending.slots, sending.body);
  signal(sending.signals);
  wait(receiving.waits);
  visit_slots(receiving.slots, receiving.body);
}

}  // namespace detail

/// The number of teams: enough to fill the links but no more, since waiting teams take room from
/// other kernels. A thread gets two values until every other multiprocessor has a team, then 16.
/// The teams fill at most half of the device, so that all run at once; otherwise some would wait
/// for data that a team of their own device has yet to send.
inline unsigned teams_of(const Space& space, std::int64_t slots, int threads) {
  const std::int64_t multiprocessors = space.cuda_device_prop().multiProcessorCount;
  const auto quick = (slots + 2 * threads - 1) / (2 * threads);
  const auto frugal = std::max(multiprocessors / 2, slots / (16 * threads));
  return static_cast<unsigned>(
      std::min<std::int64_t>({quick, frugal, space.concurrency() / (2 * threads)}));
}

/// Launches one kernel that sends, then receives. Asynchronous on `space`. If processes share a
/// device, their kernels may wait for each other for a time slice.
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
