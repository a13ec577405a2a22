// SPDX-License-Identifier: MIT
// Forward Euler: start the exchange, diffuse the interior, finish the exchange, diffuse the shell.
#pragma once

#include "app/integrate/phase_timers.hpp"
#include "app/problem/problem.hpp"
#include "comm/device/execution.hpp"
#include "solver/field/state.hpp"

namespace halotherm::app {

/// The gaps between timed steps. Where kernels run beside the host, timing makes the host wait for
/// some tens of microseconds; timed steps are then about 0.1 s apart, given the time of a step [s].
PhaseTimers::Gaps timing_gaps(double step_seconds = 0);

/// Takes steps of a problem on its domain, in runs and in measurements. Instantiated for float and
/// double.
template <class Real>
class ForwardEuler {
 public:
  /// Allocates a field beside the temperature. All arguments must outlive it.
  ForwardEuler(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem);

  /// The fields of the state, which checkpoints hold.
  static std::vector<comm::Quantity> quantities() { return {comm::temperature}; }

  /// Advances the state from `time` to `time` + `dt` [s]. Collective over neighbours. The
  /// host waits for the kernels in timed steps only. `board` takes what the step's instrumented
  /// kernels accumulate, if not null.
  void advance(solver::State<Real>& state, double time, double dt,
               solver::AccumulatorBoard<Real>* board = nullptr);
  /// The temperature before the last step; overwritten by the next one.
  const solver::Field<Real>& previous() const { return next_; }

  /// The exchange alone; returns when it has ended.
  [[nodiscard]] comm::Ghosted<Real> exchange(solver::Field<Real>& temperature);
  /// All of a step's computation without its exchange, on these cells; the temperature stays. Not
  /// collective.
  void compute(const comm::Region& interior, const comm::Region& shell,
               const solver::Field<Real>& temperature, const comm::Ghosted<Real>& ghosted,
               double time, double dt);
  /// A step's kernels on cells of the interior or of the shell. Asynchronous.
  void diffuse_interior(const comm::Region& region, const solver::Field<Real>& temperature,
                        double dt, solver::AccumulatorBoard<Real>* board = nullptr);
  void diffuse_shell(const comm::Region& region, const comm::Ghosted<Real>& ghosted, double dt,
                     solver::AccumulatorBoard<Real>* board = nullptr);

  const comm::Streams& streams() const { return streams_; }
  const Domain<Real>& domain() const { return domain_; }
  /// The domain's, with the tiles for this problem.
  const comm::Region& interior() const { return interior_; }
  const comm::Region& shell() const { return shell_; }
  Problem<Real>& problem() { return problem_; }
  PhaseTimers& timers() { return timers_; }
  const PhaseTimers& timers() const { return timers_; }
  /// The field that a step writes: free between steps.
  solver::Field<Real>& scratch() { return next_; }

 private:
  void end_step();

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  comm::Region interior_, shell_;
  solver::Field<Real> next_;
  PhaseTimers timers_{timing_gaps()};
};

}  // namespace halotherm::app
