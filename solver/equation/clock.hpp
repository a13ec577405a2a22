// SPDX-License-Identifier: MIT
// Simulated time and the schedules of outputs.
#pragma once

#include <cstdint>
#include <optional>

namespace halotherm::solver {

/// When a run ends: at a time [s], or after a number of steps.
struct End {
  std::optional<double> time;
  std::optional<std::int64_t> steps;
};

/// Counts steps and simulated time. All steps have the length `dt` except the last before an end
/// time and the last two before each multiple of `every` [s], which are equally long and land on it
/// exactly. Its state is only step, time and `dt`, so a restarted run takes the same steps.
class Clock {
 public:
  Clock(double dt, End end, std::int64_t step = 0, double time = 0,
        std::optional<double> every = std::nullopt)
      : full_dt_(dt),
        end_(end),
        every_(every),
        step_(step),
        time_(time),
        previous_(step > 0 ? time - dt : time) {}

  bool finished() const;
  /// Whether the time is a multiple of `every`.
  bool landed() const;
  /// Length of the next step [s].
  double dt() const { return next().length; }
  void advance();
  /// The length of the steps from here on [s].
  void set_full_dt(double dt) { full_dt_ = dt; }

  std::int64_t step() const { return step_; }
  double time() const { return time_; }               ///< [s]
  double previous_time() const { return previous_; }  ///< before the last step [s]
  double full_dt() const { return full_dt_; }         ///< [s]

  /// How much of the run is done, from 0 to 1.
  double progress() const;
  /// Steps that remain.
  std::int64_t steps_to_go() const;

 private:
  struct Step {
    double length;  ///< [s]
    double end;     ///< [s]
  };
  Step next() const;
  double margin() const;
  double multiple_after(double time) const;
  std::int64_t steps_within(double span) const;

  double full_dt_;
  End end_;
  std::optional<double> every_;
  std::int64_t step_;
  double time_;
  double previous_;
};

/// Every so many steps, or at the first step that reaches a multiple of so many seconds of
/// simulated time; or never.
struct Schedule {
  std::optional<double> every;  ///< [s]
  std::optional<std::int64_t> steps;

  /// After a step: whether the output is due now.
  bool due(const Clock& clock) const;
};

}  // namespace halotherm::solver
