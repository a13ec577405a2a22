// SPDX-License-Identifier: MIT
// Steps whose length follows from a tolerance: tried, judged by their error, and taken again if
// that is too large.
#pragma once

#include "app/integrate/step_attempts.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/problem/problem.hpp"
#include "solver/equation/clock.hpp"
#include "solver/integrators/step_control.hpp"

#include <functional>

namespace halotherm::app {

/// What a run's steps were; all trials count, rejected ones too.
struct StepCounts {
  double smallest_dt = 0;  ///< of the steps taken [s]
  double largest_dt = 0;   ///< [s]
  std::int64_t steps = 0;
  std::int64_t rejected = 0;
  std::int64_t stages = 0;    ///< of explicit methods
  double bytes_per_cell = 0;  ///< that all stages and estimates must move
  double flops_per_cell = 0;

  void add_trial(const StepWork& work);
  void add_step(double length);
};

/// Instantiated for float and double.
template <class Real>
class AdaptiveSteps {
 public:
  /// The names of its numbers in the state.
  static constexpr const char* last_error = "last_error";
  static constexpr const char* tolerance = "tolerance";

  /// Goes on with the numbers of the state if it has any. All references must outlive it.
  AdaptiveSteps(const TimeConfig& config, const StepBounds& bounds, StepAttempts<Real>& steps,
                const Problem<Real>& problem, solver::State<Real>& state);

  /// Gives the board of an instrumented step that begins now, or null; called for each trial.
  using Instrument = std::function<solver::AccumulatorBoard<Real>*()>;

  /// Collective. Takes one step with an error within the tolerance and advances the clock, whose
  /// full step becomes the next one. Throws CollectiveError (numerics) if steps do not become more
  /// exact, however short they are.
  void take(solver::State<Real>& state, solver::Clock& clock, const Instrument& instrument);

  const StepCounts& counts() const { return counts_; }
  const solver::StepControl& control() const { return control_; }

 private:
  void require_length(double dt, double error, double time) const;

  StepAttempts<Real>& steps_;
  const Problem<Real>& problem_;
  solver::StepControl control_;
  double shortest_;  ///< [s]
  StepCounts counts_;
};

}  // namespace halotherm::app
