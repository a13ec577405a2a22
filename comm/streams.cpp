// SPDX-License-Identifier: MIT
#include "comm/execution.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#elif defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime.h>
#endif

namespace halotherm::comm {

namespace {

enum class Priority { low, high };

#if defined(KOKKOS_ENABLE_CUDA)
Space make_space(Priority priority) {
  int lowest = 0;
  int highest = 0;
  cudaDeviceGetStreamPriorityRange(&lowest, &highest);
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority == Priority::high ? highest : lowest);
  return Space(stream);
}
void destroy(const Space& space) {
  cudaStreamDestroy(space.cuda_stream());
}
#elif defined(KOKKOS_ENABLE_HIP)
Space make_space(Priority priority) {
  int lowest = 0;
  int highest = 0;
  (void)hipDeviceGetStreamPriorityRange(&lowest, &highest);
  hipStream_t stream = nullptr;
  (void)hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, priority == Priority::high ? highest : lowest);
  return Space(stream);
}
void destroy(const Space& space) {
  (void)hipStreamDestroy(space.hip_stream());
}
#else
Space make_space(Priority) {
  return {};
}
void destroy(const Space&) {}
#endif

}  // namespace

Streams::Streams() : bulk_(make_space(Priority::low)), edge_(make_space(Priority::high)) {}

Streams::~Streams() {
  bulk_.fence("streams end");
  edge_.fence("streams end");
  destroy(bulk_);
  destroy(edge_);
}

}  // namespace halotherm::comm
