// SPDX-License-Identifier: MIT
// What the threads of a warp tell each other.
#pragma once

#include <Kokkos_Core.hpp>

namespace halotherm::comm {

/// Threads that execute together and read each other's registers: a warp of NVIDIA's GPUs. Teams
/// consist of whole warps, by rank.
inline constexpr int warp_size = 32;
/// Threads that a multiprocessor can hold, by which Kokkos counts a GPU's concurrency.
inline constexpr int threads_of_multiprocessor = 2048;

/// The value of the thread one rank below; of this thread in the first lane of a warp. All threads
/// of the warp must call it.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real from_lane_below(Real value) {
#if defined(__CUDA_ARCH__)
  return __shfl_up_sync(0xffffffffU, value, 1);
#else
  Kokkos::abort("lanes exist on GPUs only");
  return value;
#endif
}
/// The value of the thread one rank above; of this thread in the last lane of a warp.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real from_lane_above(Real value) {
#if defined(__CUDA_ARCH__)
  return __shfl_down_sync(0xffffffffU, value, 1);
#else
  Kokkos::abort("lanes exist on GPUs only");
  return value;
#endif
}

/// Whether it is true for all threads of a warp that call it together; for this thread alone where
/// there are no warps.
KOKKOS_FORCEINLINE_FUNCTION bool true_in_warp(bool value) {
#if defined(__CUDA_ARCH__)
  return __all_sync(__activemask(), value) != 0;
#else
  return value;
#endif
}

}  // namespace halotherm::comm
