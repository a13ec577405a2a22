// SPDX-License-Identifier: MIT
// How benchmarks take time: on the host's clock, from launch to fence.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/system/stopwatch.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace halotherm::test {

/// Times `batch` calls of `work` in every iteration, after one call that warms up; a batch hides
/// what the fence costs. The benchmark must be registered with UseManualTime(). Gives the seconds
/// of all calls but the first.
template <class Work>
double time_batches(benchmark::State& state, const comm::Space& space, std::int64_t batch,
                    const Work& work) {
  work();
  space.fence("benchmark warm-up");
  double seconds = 0;
  for ([[maybe_unused]] auto iteration : state) {
    const comm::Stopwatch stopwatch;
    for (std::int64_t n = 0; n < batch; ++n) work();
    space.fence("benchmark");
    const double elapsed = stopwatch.seconds();
    state.SetIterationTime(elapsed);
    seconds += elapsed;
  }
  return seconds;
}

}  // namespace halotherm::test
