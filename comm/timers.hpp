// SPDX-License-Identifier: MIT
// Where a run's wall time goes.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace halotherm::comm {

/// The parts of a step, in their order; every moment of the time loop belongs to exactly one.
enum class Phase { boundary, halo_start, interior, halo_wait, shell, diagnostics, output };
inline constexpr int phase_count = 7;
std::string_view name_of(Phase phase);

/// Seconds since it was made, from a clock that never goes back.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Attributes this rank's wall time to phases, as laps: what passed since the last call belongs to the phase that ends now.
/// Host time: on a GPU a phase's share is what the host waited for it, so hidden work costs nothing. There the host waits in some
/// steps only, and runs ahead in the others, whose laps would tell nothing.
class PhaseTimers {
 public:
  /// Steps of which one is timed.
  explicit PhaseTimers(int interval) : interval_(interval) {}
  void set_interval(int interval) { interval_ = interval; }

  /// Calls `settle()`, which should wait for the steps before, if this one is timed.
  template <class Settle>
  void begin_step(const Settle& settle) {
    timed_ = steps_++ % interval_ == 0;
    if (timed_ && interval_ > 1) settle();
    lap_ = {};
  }
  /// Whether the step's phases are timed, so that the host should wait for each.
  bool timed() const { return timed_; }
  /// Of what comes between steps: every lap counts.
  void begin_outputs() {
    timed_ = true;
    lap_ = {};
  }

  void ends(Phase phase) {
    if (timed_) seconds_[static_cast<std::size_t>(phase)] += lap_.seconds();
    lap_ = {};
  }

  /// [s], indexed by Phase; of the timed steps.
  const std::array<double, phase_count>& seconds() const { return seconds_; }

 private:
  int interval_;
  std::int64_t steps_ = 0;
  bool timed_ = true;
  Stopwatch lap_;
  std::array<double, phase_count> seconds_{};
};

}  // namespace halotherm::comm
