// SPDX-License-Identifier: MIT
// The memory that a team of threads shares on NVIDIA GPUs.
#pragma once

#include <Kokkos_Core.hpp>

namespace halotherm::comm {

/// All threads of a team must call it: each then sees what the others have written.
KOKKOS_FORCEINLINE_FUNCTION void team_barrier() {
#if defined(__CUDA_ARCH__)
  __syncthreads();
#else
  Kokkos::abort("teams that share memory exist on NVIDIA GPUs only");
#endif
}

/// Copies 16 bytes from device memory into shared memory without waiting for them; both addresses
/// are multiples of 16.
KOKKOS_FORCEINLINE_FUNCTION void copy_to_shared([[maybe_unused]] void* to,
                                                [[maybe_unused]] const void* from) {
#if defined(__CUDA_ARCH__)
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(address), "l"(from) : "memory");
#endif
}

/// The same for a value of 4, 8 or 16 bytes, on a multiple of them, beside others that are read
/// soon: its line is kept in the multiprocessor's own cache.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION void copy_to_shared_by_cache([[maybe_unused]] Value* to,
                                                         [[maybe_unused]] const Value* from) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16);
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;"
               :
               : "r"(address), "l"(from), "n"(sizeof(Value))
               : "memory");
#endif
}

/// Waits for this thread's copies; the team's other threads see them after a barrier.
KOKKOS_FORCEINLINE_FUNCTION void await_copies_to_shared() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}

}  // namespace halotherm::comm
