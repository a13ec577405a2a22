// SPDX-License-Identifier: MIT
#include "comm/device/recording.hpp"

#include <utility>

namespace halotherm::comm {

#if defined(KOKKOS_ENABLE_CUDA)

/// The edge stream joins the recording of the bulk stream, and leaves it at the end.
Recording::Recording(const Streams& streams, std::function<void()> launches) : streams_(streams) {
  graph_.record(streams.bulk().cuda_stream(), [&] {
    streams.mark_bulk();
    streams.edge_awaits_mark();
    launches();
    streams.bulk_awaits_edge();
  });
}

void Recording::submit() const {
  streams_.bulk_awaits_edge();
  graph_.launch(streams_.bulk().cuda_stream());
  streams_.mark_bulk();
  streams_.edge_awaits_mark();
}

#else

Recording::Recording(const Streams&, std::function<void()> launches)
    : launches_(std::move(launches)) {}

void Recording::submit() const {
  launches_();
}

#endif

}  // namespace halotherm::comm
