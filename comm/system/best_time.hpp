// SPDX-License-Identifier: MIT
// How long work takes at its best: the least of several timings, since whatever disturbs a timing
// makes it longer.
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
  int warm_ups = 1;  ///< timings before those, which do not count
};

/// In place of a Communicator, where a rank times its work by itself.
struct Alone {
  void barrier() const {}
  double max(double value) const { return value; }
};

/// For work that has finished when it returns.
struct NothingToAwait {
  void operator()() const {}
};

/// Seconds of one of `calls` calls of `work`, from one timing, on the slowest of the ranks, which
/// begin together. `settle()` follows the last call, waits for what the calls have launched, and is
/// timed with them. `ranks`: a Communicator, over which this is collective and gives every rank the
/// same, or Alone.
template <class Ranks, class Work, class Settle = NothingToAwait>
double time_once(const Ranks& ranks, std::int64_t calls, const Work& work,
                 const Settle& settle = {}) {
  ranks.barrier();
  const Stopwatch stopwatch;
  for (std::int64_t call = 0; call < calls; ++call) work();
  settle();
  return ranks.max(stopwatch.seconds()) / static_cast<double>(calls);
}

/// Seconds of one call of `work`: the least of several such timings.
template <class Ranks, class Work, class Settle = NothingToAwait>
double best_time(const Ranks& ranks, const Repeats& repeats, const Work& work,
                 const Settle& settle = {}) {
  for (int n = 0; n < repeats.warm_ups; ++n) time_once(ranks, repeats.calls, work, settle);
  double best = no_time_yet;
  for (int n = 0; n < repeats.timings; ++n)
    best = std::min(best, time_once(ranks, repeats.calls, work, settle));
  return best;
}

/// The same on this rank alone, after one call that does not count, for as many timings as fit into
/// `limit` seconds, and one at least. The calls of a timing are doubled until one takes a tenth of
/// the limit, or a timing has `most_calls`, which work that the compiler removes reaches.
template <class Work, class Settle = NothingToAwait>
double best_time_within(double limit, const Work& work, const Settle& settle = {}) {
  time_once(Alone(), 1, work, settle);
  double best = no_time_yet;
  constexpr int most_calls = 1 << 24;
  int calls = 1;
  const Stopwatch total;
  do {
    const double seconds = time_once(Alone(), calls, work, settle);
    best = std::min(best, seconds);
    if (seconds * calls < 0.1 * limit && calls < most_calls) calls *= 2;
  } while (total.seconds() < limit);
  return best;
}

}  // namespace halotherm::comm
