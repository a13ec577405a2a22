// SPDX-License-Identifier: MIT
#include "comm/device/execution.hpp"

#include "comm/device/gpu_runtime.hpp"
#include "comm/system/host_cpus.hpp"

namespace halotherm::comm {

using gpu::Priority;

#if defined(KOKKOS_ENABLE_CUDA)

namespace {

Space make_space(Priority priority) {
  return Space(gpu::make_stream(priority));
}
void destroy(const Space& space) {
  gpu::destroy(space.cuda_stream());
}

}  // namespace

/// Marks in the two streams for which the other one can wait.
class StreamEvents {
 public:
  void mark_bulk(const Space& bulk) const { of_bulk_.record(bulk.cuda_stream()); }
  void edge_awaits_mark(const Space& edge) const { of_bulk_.awaited_by(edge.cuda_stream()); }
  void bulk_awaits_edge(const Space& bulk, const Space& edge) const {
    of_edge_.record(edge.cuda_stream());
    of_edge_.awaited_by(bulk.cuda_stream());
  }

 private:
  gpu::Event of_bulk_;
  gpu::Event of_edge_;
};

#else

namespace {

Space make_space(Priority) {
  return {};
}
void destroy(const Space&) {}

}  // namespace

/// Without events the host waits.
class StreamEvents {
 public:
  void mark_bulk(const Space& bulk) const { bulk.fence("mark"); }
  void edge_awaits_mark(const Space&) const {}
  void bulk_awaits_edge(const Space&, const Space& edge) const { edge.fence("bulk awaits edge"); }
};

#endif

Streams::Streams()
    : bulk_(make_space(Priority::low)),
      edge_(make_space(Priority::high)),
      events_(std::make_unique<StreamEvents>()) {}

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

std::int64_t last_level_cache_bytes() {
  if constexpr (kernels_run_on_host) {
    return last_level_cache_bytes(usable_cpus());
  } else {
    return gpu::attribute(gpu::Attribute::cache_bytes);
  }
}

}  // namespace halotherm::comm
