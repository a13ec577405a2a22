// SPDX-License-Identifier: MIT
#include "comm/device/execution.hpp"

#include "comm/system/host_cpus.hpp"

#include <sys/mman.h>

namespace halotherm::comm {

#if defined(KOKKOS_ENABLE_CUDA)

OwnStream::OwnStream(gpu::Priority priority) : space_(gpu::make_stream(priority)) {}

OwnStream::~OwnStream() {
  space_.fence("own stream");
  gpu::destroy(space_.cuda_stream());
}

void Streams::bulk_awaits_edge() const {
  edge_end_.record(edge().cuda_stream());
  edge_end_.awaited_by(bulk().cuda_stream());
}

void Streams::mark_bulk() const {
  bulk_mark_.record(bulk().cuda_stream());
}

void Streams::edge_awaits_mark() const {
  bulk_mark_.awaited_by(edge().cuda_stream());
}

#else

OwnStream::OwnStream(gpu::Priority) {}

OwnStream::~OwnStream() {
  space_.fence("own stream");
}

void Streams::bulk_awaits_edge() const {
  edge().fence("bulk awaits edge");
}

void Streams::mark_bulk() const {
  bulk().fence("mark");
}

void Streams::edge_awaits_mark() const {}

#endif

void Streams::fence() const {
  bulk().fence("streams");
  edge().fence("streams");
}

std::int64_t last_level_cache_bytes() {
  if constexpr (kernels_run_on_host) {
    return last_level_cache_bytes(usable_cpus());
  } else {
    return gpu::attribute(gpu::Attribute::cache_bytes);
  }
}

void prefer_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const auto first = (address + page - 1) / page * page;
  const auto last = (address + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace halotherm::comm
