// SPDX-License-Identifier: MIT
// Timing of bench.
#pragma once

#include "app/measure/statistics.hpp"
#include "comm/device/execution.hpp"
#include "comm/machine/meters.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/system/best_time.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

namespace halotherm::app {

struct Timing {
  double seconds = 0;  ///< of one call, the median of the repeats, on the slowest rank
  double seconds_min = 0;
  int repeats = 0;
  std::vector<double> each;      ///< of one call in every repeat, in their order
  std::optional<double> joules;  ///< of one call on this rank's device
};

inline Timing timing_of(const std::vector<double>& each) {
  return {.seconds = estimate(each).median,
          .seconds_min = std::ranges::min(each),
          .repeats = static_cast<int>(each.size()),
          .each = each,
          .joules = {}};
}

/// Collective. Times `work`, which launches kernels on `space`, in batches of so many calls that
/// launches and the fence do not count, and calls `between` after each; then again, for as long as
/// the energy counter needs, which moves in tenths of a second.
template <class Work>
Timing time_work(
    const comm::Communicator& world, const comm::Space& space, int repeats, const Work& work,
    const std::function<void()>& between = [] {}) {
  constexpr double batch_seconds = 0.02;
  constexpr double metered_seconds = 0.6;
  const auto timed = [&](int calls) {
    return comm::time_once(world, calls, work, [&] { space.fence("bench"); });
  };
  timed(1);  // warms up
  const int calls = std::clamp(static_cast<int>(std::ceil(batch_seconds / timed(1))), 1, 10000);
  std::vector<double> each;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    each.push_back(timed(calls));
    between();
  }
  auto timing = timing_of(each);
  const comm::EnergyMeter meter;
  const auto before = meter.joules();
  if (world.max(before ? 0.0 : 1.0) > 0) return timing;
  const int metered =
      calls * std::max(1, static_cast<int>(std::ceil(metered_seconds / (calls * timing.seconds))));
  timed(metered);
  const auto after = meter.joules();
  if (after) timing.joules = (*after - *before) / metered;
  return timing;
}

}  // namespace halotherm::app
