// SPDX-License-Identifier: MIT
// One step of the time loop: the same for runs and for whatever measures them.
#pragma once

#include "app/problem/block.hpp"
#include "app/problem/phase_timers.hpp"
#include "comm/device/execution.hpp"

namespace halotherm::app {

/// How often a step is timed: where kernels run beside the host, timing means waiting, for some
/// tens of microseconds, and timed steps come to be 0.1 s apart, by what a step takes [s].
PhaseTimers::Gaps timing_gaps(double step_seconds = 0);

/// What a step works on. Refers to its parts. Instantiated for float and double.
template <class Real>
struct TimeStep {
  const comm::Streams& streams;
  Block<Real>& block;
  solver::Field<Real>& temperature;  ///< the present one; becomes the next one
  solver::Field<Real>& next;         ///< overwritten; becomes the previous one
  PhaseTimers& timers;

  /// From `time` to `time` + `dt` [s]. Collective over neighbours. The host waits for the kernels
  /// in timed steps only. `watch`: where to leave a accumulator, if one is wanted.
  void take(double time, double dt, solver::AccumulatorBoard<Real>* watch = nullptr) const;

  /// The exchange with nothing to hide behind, waited for.
  [[nodiscard]] comm::Ghosted<Real> exchange() const;

  /// All of a step's computation but no exchange: the next field is computed, and the present one
  /// stays. Not collective.
  void compute(double time, double dt, const comm::Ghosted<Real>& ghosted) const;

 private:
  void end() const;
};

}  // namespace halotherm::app
