// SPDX-License-Identifier: MIT
// Wall time of the phases of a step.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace halotherm::app {

/// The parts of a step, in their order; every moment of the time loop belongs to exactly one.
enum class Phase { formulas, halo_start, interior, halo_wait, shell, diagnostics, output };
inline constexpr int phase_count = 7;
constexpr std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, phase_count> names{
      "formulas", "halo start", "interior", "halo wait", "shell", "diagnostics", "output"};
  return names[static_cast<std::size_t>(phase)];
}

/// Attributes this rank's wall time to phases, as laps: the time since the last call belongs to the
/// phase that ends now. It is host time: on a GPU a phase's share is how long the host waited for
/// it, so hidden work costs nothing. There the host waits in the timed steps only; in the others it
/// runs ahead and laps are not counted.
class PhaseTimers {
 public:
  /// The gaps, in steps, between one timed step and the next: `first`, then each twice as long as
  /// the one before, up to `last`. So short runs have some timed steps, and long ones lose no time
  /// by them. The first step is timed, or where there are gaps the second, as devices load kernels
  /// in the first.
  struct Gaps {
    std::int64_t first;
    std::int64_t last;
  };
  explicit PhaseTimers(const Gaps& gaps)
      : gap_(gaps.first), gaps_(gaps), next_(gaps.first > 1 ? 1 : 0) {}
  void set_gaps(const Gaps& gaps) {
    gaps_ = gaps;
    gap_ = gaps.first;
  }

  /// Calls `settle()`, which should wait for the steps before, if this one is timed.
  template <class Settle>
  void begin_step(const Settle& settle) {
    timed_ = false;
    if (held_) return;
    timed_ = steps_++ == next_;
    if (timed_) {
      next_ += gap_;
      if (gap_ > 1) settle();
      gap_ = std::min(2 * gap_, gaps_.last);
    }
    lap_ = {};
  }
  /// How many steps follow before one that is to be timed.
  std::int64_t untimed() const { return next_ - steps_; }
  /// While steps are held, none is timed or counted.
  void hold(bool held) { held_ = held; }
  /// Counts steps that were held, none of which was to be timed.
  void pass(std::int64_t steps) { steps_ += steps; }

  /// Whether the step's phases are timed, so that the host should wait for each.
  bool timed() const { return timed_; }
  /// Begins the work between steps, of which every lap counts.
  void begin_outputs() {
    timed_ = true;
    lap_ = {};
  }

  void ends(Phase phase) {
    if (timed_) seconds_[static_cast<std::size_t>(phase)] += lap_.seconds();
    lap_ = {};
  }

  /// Seconds of the timed steps, indexed by Phase.
  const std::array<double, phase_count>& seconds() const { return seconds_; }

 private:
  std::int64_t gap_;
  Gaps gaps_;
  std::int64_t steps_ = 0;
  std::int64_t next_;  ///< step to be timed
  bool timed_ = true;
  bool held_ = false;
  comm::Stopwatch lap_;
  std::array<double, phase_count> seconds_{};
};

/// Ends a step, or a stage of it: the next interior comes after this shell. The host itself waits
/// in timed steps only.
inline void end_stage(const comm::Streams& streams, PhaseTimers& timers) {
  if (!timers.timed()) return streams.bulk_awaits_edge();
  streams.edge().fence("shell");
  timers.ends(Phase::shell);
  streams.bulk().fence("interior");
  timers.ends(Phase::interior);
}

/// The gaps between timed steps. Where kernels run beside the host, timing makes the host wait for
/// some tens of microseconds; timed steps are then about 0.1 s apart, given the time of a step [s].
inline PhaseTimers::Gaps timing_gaps(double step_seconds = 0) {
  constexpr std::int64_t fewest = 16;
  constexpr double distance = 0.1;  // [s]
  if (comm::kernels_run_on_host) return {1, 1};
  return {fewest, step_seconds > 0
                      ? std::max(fewest, static_cast<std::int64_t>(distance / step_seconds))
                      : fewest};
}

}  // namespace halotherm::app
