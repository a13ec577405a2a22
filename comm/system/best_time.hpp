// SPDX-License-Identifier: MIT
// The best time of some work: the least of several timings, since disturbances only add time.
#pragma once

#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace halotherm::comm {

/// Longer than any timing [s].
inline constexpr double no_time_yet = std::numeric_limits<double>::infinity();

struct Repeats {
  int timings = 5;   ///< that count, at least 1
  int calls = 1;     ///< of the work in each timing, at least 1
  int warm_ups = 1;  ///< earlier timings, which do not count
};

/// Replaces the Communicator where a rank times its work alone.
struct Alone {
  void barrier() const {}
  double max(double value) const { return value; }
};

/// For work that has finished when it returns.
struct NothingToAwait {
  void operator()() const {}
};

/// Seconds per call of `work`, from one timing of `calls` calls on the slowest rank; all ranks
/// start together. `settle()` is timed after the last call and waits for asynchronous work.
/// `ranks`: Alone, or a Communicator, over which this is collective and returns the same on all
/// ranks.
template <class Ranks, class Work, class Settle = NothingToAwait>
double time_once(const Ranks& ranks, std::int64_t calls, const Work& work,
                 const Settle& settle = {}) {
  ranks.barrier();
  const Stopwatch stopwatch;
  for (std::int64_t call = 0; call < calls; ++call) work();
  settle();
  return ranks.max(stopwatch.seconds()) / static_cast<double>(calls);
}

/// Seconds per call of `work`: the least of several results of `time_once`.
template <class Ranks, class Work, class Settle = NothingToAwait>
double best_time(const Ranks& ranks, const Repeats& repeats, const Work& work,
                 const Settle& settle = {}) {
  for (int n = 0; n < repeats.warm_ups; ++n) time_once(ranks, repeats.calls, work, settle);
  double best = no_time_yet;
  for (int n = 0; n < repeats.timings; ++n)
    best = std::min(best, time_once(ranks, repeats.calls, work, settle));
  return best;
}

/// Seconds per call of `work` on this rank alone: the least of as many timings as fit into `limit`
/// seconds, at least one, after one call that does not count. The number of calls doubles until a
/// timing takes a tenth of the limit.
template <class Work, class Settle = NothingToAwait>
double best_time_within(double limit, const Work& work, const Settle& settle = {}) {
  time_once(Alone(), 1, work, settle);
  double best = no_time_yet;
  int calls = 1;
  const Stopwatch total;
  do {
    const double seconds = time_once(Alone(), calls, work, settle);
    best = std::min(best, seconds);
    if (seconds * calls < 0.1 * limit) calls *= 2;
  } while (total.seconds() < limit);
  return best;
}

}  // namespace halotherm::comm
