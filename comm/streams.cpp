// SPDX-License-Identifier: MIT
#include "comm/execution.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime.h>
#elif defined(KOKKOS_ENABLE_HIP)
#include <hip/hip_runtime.h>
#endif

namespace halotherm::comm {

/// Marks in the two streams for which the other one can wait. Without events the host waits.
class StreamEvents {
 public:
#if defined(KOKKOS_ENABLE_CUDA)
  StreamEvents() {
    for (auto* event : {&of_bulk_, &of_edge_}) cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  }
  ~StreamEvents() {
    for (auto* event : {&of_bulk_, &of_edge_}) cudaEventDestroy(*event);
  }
  void mark_bulk(const Space& bulk) const {
    cudaEventRecord(of_bulk_, bulk.cuda_stream());
  }
  void edge_awaits_mark(const Space& edge) const {
    cudaStreamWaitEvent(edge.cuda_stream(), of_bulk_);
  }
  void bulk_awaits_edge(const Space& bulk, const Space& edge) const {
    cudaEventRecord(of_edge_, edge.cuda_stream());
    cudaStreamWaitEvent(bulk.cuda_stream(), of_edge_);
  }

 private:
  cudaEvent_t of_bulk_{};
  cudaEvent_t of_edge_{};
#else
  StreamEvents() = default;
  void mark_bulk(const Space& bulk) const {
    bulk.fence("mark");
  }
  void edge_awaits_mark(const Space&) const {}
  void bulk_awaits_edge(const Space&, const Space& edge) const {
    edge.fence("bulk awaits edge");
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

void Streams::bulk_awaits_edge() const {
  events_->bulk_awaits_edge(bulk_, edge_);
}

void Streams::mark_bulk() const {
  events_->mark_bulk(bulk_);
}

void Streams::edge_awaits_mark() const {
  events_->edge_awaits_mark(edge_);
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
