// SPDX-License-Identifier: MIT
// Requests for memory that is read soon.
#pragma once

#include <Kokkos_Core.hpp>

namespace halotherm::comm {

/// Brings the line of an address into the cache that all of a GPU share, without waiting for it;
/// nothing on CPUs. The address may be invalid.
KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] const void* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
#endif
}

}  // namespace halotherm::comm
