// SPDX-License-Identifier: MIT
// How bench takes time.
#pragma once

#include "comm/communicator.hpp"
#include "comm/execution.hpp"
#include "comm/meters.hpp"
#include "comm/timers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace halotherm::app {

struct Timing {
  double seconds = 0;  ///< of one call, the median of the repeats, on the slowest rank
  double seconds_min = 0;
  int repeats = 0;
  std::optional<double> joules;  ///< of one call on this rank's device
};

/// Collective. Times `work`, which launches kernels on `space`: at least `repeats` batches, each of so many calls that launches and
/// the fence do not count, and long enough for the energy counter, which moves in tenths of a second.
template <class Work>
Timing time_work(const comm::Communicator& world, const comm::Space& space, int repeats, const Work& work) {
  constexpr double batch_seconds = 0.02;
  constexpr double metered_seconds = 0.6;
  const auto timed = [&](int calls) {
    world.barrier();
    const comm::Stopwatch watch;
    for (int call = 0; call < calls; ++call) work();
    space.fence("bench");
    return world.max(watch.seconds()) / calls;
  };
  timed(1);  // warms up
  const int calls = std::clamp(static_cast<int>(std::ceil(batch_seconds / timed(1))), 1, 10000);
  const comm::EnergyMeter meter;
  const auto joules_before = meter.joules();
  const bool metered = world.max(joules_before ? 0.0 : 1.0) == 0;
  Timing timing;
  std::vector<double> seconds;
  double total = 0;
  while (static_cast<int>(seconds.size()) < repeats || (metered && total < metered_seconds)) {
    seconds.push_back(timed(calls));
    total += seconds.back() * calls;
  }
  const auto joules_after = meter.joules();
  timing.repeats = static_cast<int>(seconds.size());
  if (metered && joules_after) timing.joules = (*joules_after - *joules_before) / (static_cast<double>(calls) * timing.repeats);
  std::ranges::sort(seconds);
  timing.seconds = seconds[seconds.size() / 2];
  timing.seconds_min = seconds.front();
  return timing;
}

}  // namespace halotherm::app
