// SPDX-License-Identifier: MIT
#include "comm/execution.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#elif defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime.h>
#endif

namespace halotherm::comm {

/// Marks in the two streams for which the other one can wait.
class StreamEvents {
 public:
#if defined(KOKKOS_ENABLE_CUDA)
  StreamEvents() {
    for (auto& event : events_) cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  }
  ~StreamEvents() {
    for (auto& event : events_) cudaEventDestroy(event);
  }
  void join(const Space& a, const Space& b) const {
    cudaEventRecord(events_[0], a.cuda_stream());
    cudaEventRecord(events_[1], b.cuda_stream());
    cudaStreamWaitEvent(a.cuda_stream(), events_[1]);
    cudaStreamWaitEvent(b.cuda_stream(), events_[0]);
  }

 private:
  cudaEvent_t events_[2]{};
#else
  StreamEvents() = default;
  void join(const Space& a, const Space& b) const {
    a.fence("join");
    b.fence("join");
  }
#endif
  StreamEvents(const StreamEvents&) = delete;
  StreamEvents& operator=(const StreamEvents&) = delete;
};

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

Streams::Streams()
    : bulk_(make_space(Priority::low)), edge_(make_space(Priority::high)), events_(std::make_unique<StreamEvents>()) {}

void Streams::join() const {
  events_->join(bulk_, edge_);
}

void Streams::fence() const {
  bulk_.fence("streams");
  edge_.fence("streams");
}

Streams::~Streams() {
  fence();
  destroy(bulk_);
  destroy(edge_);
}

OwnStream::OwnStream() : space_(make_space(Priority::low)) {}

OwnStream::~OwnStream() {
  space_.fence("own stream");
  destroy(space_);
}

}  // namespace halotherm::comm
