// SPDX-License-Identifier: MIT
// Launches kernels of teams of threads, one call of the body per thread.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/gpu_runtime.hpp"

namespace halotherm::comm {

namespace detail {

template <class Body>
struct ThreadOf {
  Body body;
  int threads;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t n) const {
    body(static_cast<int>(n / threads), static_cast<int>(n % threads));
  }
};

#if defined(KOKKOS_ENABLE_CUDA)
template <class Bounds, class Body>
__global__ void __launch_bounds__(Bounds::maxTperB, Bounds::minBperSM)
    run_thread(const __grid_constant__ Body body) {
  body(static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x));
}
template <class Bounds, class Body>
__global__ void __launch_bounds__(Bounds::maxTperB, Bounds::minBperSM)
    run_sharing_thread(const __grid_constant__ Body body) {
  extern __shared__ int4 shared[];
  body(static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x), static_cast<void*>(shared));
}

/// Reports a kernel launch to Kokkos' tools.
template <class Launch>
void profiled_launch(const Space& space, const char* label, const Launch& launch) {
  std::uint64_t kernel = 0;
  const bool profiled = Kokkos::Tools::profileLibraryLoaded();
  if (profiled)
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &kernel);
  launch();
  gpu::check_launch(label);
  if (profiled) Kokkos::Tools::endParallelFor(kernel);
}
#endif

}  // namespace detail

/// Launches `body(team, thread)` for `teams` teams of `threads` threads by Kokkos, roughly in the
/// order of the teams. Asynchronous on `space`. `Bounds`: the Kokkos::LaunchBounds that limit a
/// thread's registers; `threads` must not exceed their first number.
template <class Bounds, class Body>
void for_each_thread_by_kokkos(const Space& space, const char* label, int teams, int threads,
                               const Body& body) {
  using Policy = Kokkos::RangePolicy<Space, Bounds, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(space, 0, std::int64_t{teams} * threads),
                       detail::ThreadOf<Body>{body, threads});
}

/// The same; on NVIDIA GPUs a launch of its own, without the loop that Kokkos' policies put around
/// a body. The registers of that loop cost 11 % of a step on an H200 (ADR 8).
template <class Bounds, class Body>
void for_each_thread(const Space& space, const char* label, int teams, int threads,
                     const Body& body) {
  if (teams == 0) return;
#if defined(KOKKOS_ENABLE_CUDA)
  detail::profiled_launch(space, label, [&] {
    detail::run_thread<Bounds>
        <<<static_cast<unsigned>(teams), static_cast<unsigned>(threads), 0, space.cuda_stream()>>>(
            body);
  });
#else
  for_each_thread_by_kokkos<Bounds>(space, label, teams, threads, body);
#endif
}

/// Launches `body(team, thread, shared)` for teams of `Bounds::maxTperB` threads that share memory
/// of that many bytes, more than Kokkos' scratch memory may have. On NVIDIA GPUs only.
template <class Bounds, class Body>
void for_each_sharing_thread([[maybe_unused]] const Space& space,
                             [[maybe_unused]] const char* label, [[maybe_unused]] int teams,
                             [[maybe_unused]] int shared_bytes, [[maybe_unused]] const Body& body) {
#if defined(KOKKOS_ENABLE_CUDA)
  if (teams == 0) return;
  const auto kernel = detail::run_sharing_thread<Bounds, Body>;
  gpu::allow_shared_memory(reinterpret_cast<const void*>(kernel), shared_bytes);
  detail::profiled_launch(space, label, [&] {
    kernel<<<static_cast<unsigned>(teams), Bounds::maxTperB, static_cast<std::size_t>(shared_bytes),
             space.cuda_stream()>>>(body);
  });
#endif
}

}  // namespace halotherm::comm
