// SPDX-License-Identifier: MIT
// One run: its state and the time loop.
#pragma once

#include "app/control/run_control.hpp"
#include "app/domain/transport_choice.hpp"
#include "app/integrate/adaptive_steps.hpp"
#include "app/integrate/implicit_steps.hpp"
#include "app/integrate/integrator.hpp"
#include "app/integrate/partition_choice.hpp"
#include "app/integrate/phase_timers.hpp"
#include "app/integrate/plain_steps.hpp"
#include "app/integrate/step_range.hpp"
#include "app/integrate/steps_together.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/linear/steady_state.hpp"
#include "app/measure/calibration.hpp"
#include "app/output/outputs.hpp"
#include "app/problem/problem.hpp"
#include "app/results/restart_state.hpp"
#include "app/run/run_record.hpp"
#include "solver/equation/clock.hpp"

#include <optional>

namespace halotherm::app {

/// Instantiated for float and double.
template <class Real>
class Simulation {
 public:
  /// Collective. Everything is allocated and bound here; the steps allocate nothing. `values`:
  /// those of this rank's block at the start, one field of the state after another, or nothing to
  /// begin with the configuration's. Throws CollectiveError.
  Simulation(const comm::Communicator& world, const Config& config, PartitionChoice choice,
             const RestartState& start, std::vector<Real> values, WallLimit limit,
             const io::Log& log);

  /// Collective. Steps until the end, or until it is asked to stop, with all outputs; throws
  /// CollectiveError.
  RunRecord run();

 private:
  void reach_steady_state();
  void step_until_end();
  void set_plain_steps(double seconds);
  void take_steps();
  void take_step();
  void set_cost_of_steps(RunRecord& record) const;
  void say_expectation(const Calibration& calibration) const;
  RunRecord record(const Calibration& calibration, std::int64_t first_step,
                   double loop_seconds) const;

  const comm::Communicator& world_;
  io::Log log_;
  RestartState restart_;
  comm::Streams streams_;
  PartitionChoice choice_;
  Domain<Real> domain_;
  Problem<Real> problem_;
  StepBounds bounds_;
  Integrator<Real> integrator_;
  std::optional<SteadyState<Real>> steady_;  ///< of runs that solve for one
  std::optional<ImplicitSteps<Real>> implicit_;
  SolveRecord solve_;
  solver::State<Real> state_;
  solver::Clock clock_;
  std::optional<AdaptiveSteps<Real>> adaptive_;  ///< where a tolerance is given
  std::optional<StepRange<Real>> range_;         ///< where steps follow the temperatures
  RunControl control_;
  RunRequests requests_;
  Outputs<Real> outputs_;
  TimeConfig time_;
  TrialsTogether trials_together_;
  std::optional<PlainSteps<Real>> plain_;
};

}  // namespace halotherm::app
