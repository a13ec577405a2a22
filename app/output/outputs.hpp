// SPDX-License-Identifier: MIT
// Everything that a run writes while it goes: diagnostics, checkpoints, fields, progress.
#pragma once

#include "app/control/run_control.hpp"
#include "app/integrate/phase_timers.hpp"
#include "app/output/diagnostics.hpp"
#include "app/output/state_files.hpp"
#include "app/problem/problem.hpp"
#include "app/results/diagnostics_file.hpp"
#include "app/results/restart_state.hpp"
#include "io/text/log.hpp"
#include "solver/diagnostics/accumulator_board.hpp"

namespace halotherm::app {

/// Instantiated for float and double. All members that are not const are collective and throw
/// CollectiveError.
template <class Real>
class Outputs {
 public:
  /// `streams`: those of the steps, for whose results outputs wait. Checkpoints record the inputs
  /// of the problem. All references must outlive it.
  Outputs(const comm::Streams& streams, const Domain<Real>& domain, const Problem<Real>& problem,
          const Config& config, const RestartState& start, const io::Log& log);

  /// At the first state of the run: only now are results of an earlier one replaced.
  void begin(const solver::Clock& clock, const solver::Field<Real>& temperature);
  /// Before a step: where it is to leave a accumulator for the diagnostics that follow it; null if
  /// none do.
  solver::AccumulatorBoard<Real>* instrument(const solver::Clock& clock);
  /// Whether `after_step` publishes anything of the state. Local, the same on every rank.
  bool due(const solver::Clock& clock, const RunRequests& orders) const {
    return due_now(clock, orders).any();
  }
  /// After a step; `previous` is the field before it. Does what is due, mostly nothing.
  void after_step(const solver::Clock& clock, const solver::Field<Real>& temperature,
                  const solver::Field<Real>& previous, const RunRequests& orders,
                  PhaseTimers& timers);
  /// After the last step: the last state goes into every output that does not have it yet.
  void end(const solver::Clock& clock, const solver::Field<Real>& temperature,
           const solver::Field<Real>& previous);
  /// Before the end: the state goes into a checkpoint from which another run goes on as if nothing
  /// had happened.
  void stop(const solver::Clock& clock, const solver::Field<Real>& temperature);
  /// While an error ends the run: files that were begun before it are good, and get the time to
  /// become complete.
  void finish_writes() { files_.finish(); }

  const Diagnostics& first_diagnostics() const { return first_; }
  const Diagnostics& last_diagnostics() const { return last_; }
  const StateFiles<Real>& files() const { return files_; }

 private:
  /// What there is to be done after a step.
  struct Due {
    bool diagnostics, watchdog, checkpoint, field;
    bool any() const { return watchdog || checkpoint || field; }
  };
  Due due_now(const solver::Clock& clock, const RunRequests& orders) const;
  /// Snapshots in simulated time are due where the clock lands.
  bool field_due(const solver::Clock& clock) const {
    return clock.landed() || field_schedule_.due(clock);
  }
  void diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature,
                const solver::Field<Real>& previous);
  Diagnostics diagnostics_now(const solver::Clock& clock, const solver::Field<Real>& temperature,
                              const solver::Field<Real>& previous);
  void add_row();
  void check_rows(bool at_end);
  void open();
  void open_diagnostics();
  void show(const solver::Clock& clock);

  const comm::Communicator& world_;
  const comm::Streams& streams_;
  const Config& config_;
  const RestartState& restart_;
  solver::Grid grid_;
  io::Log log_;
  io::Progress progress_;
  Sensors<Real> sensors_;
  solver::Schedule diagnostics_schedule_;
  solver::Schedule watchdog_schedule_;
  solver::AccumulatorBoard<Real> board_;
  std::int64_t instrumented_step_ = -1;  ///< whose accumulator is on the board
  solver::Schedule checkpoint_schedule_;
  solver::Schedule field_schedule_;
  DiagnosticsFile diagnostics_;
  FailurePolicy policy_;
  StateFiles<Real> files_;  ///< whose threads use the rows
  Diagnostics first_;
  Diagnostics last_;
  std::int64_t diagnosed_step_ = -1;
  bool rows_wait_ = false;  ///< of the diagnostics
};

}  // namespace halotherm::app
