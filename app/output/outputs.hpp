// SPDX-License-Identifier: MIT
// Everything that a run writes during its steps: diagnostics, checkpoints, snapshots, progress.
#pragma once

#include "app/control/run_control.hpp"
#include "app/integrate/phase_timers.hpp"
#include "app/output/bounds_check.hpp"
#include "app/output/diagnostics.hpp"
#include "app/output/state_files.hpp"
#include "app/problem/problem.hpp"
#include "app/results/diagnostics_file.hpp"
#include "app/results/restart_state.hpp"
#include "io/text/log.hpp"
#include "solver/diagnostics/accumulator_board.hpp"

namespace halotherm::app {

/// Non-const members are collective and throw CollectiveError. Instantiated for float and double.
template <class Real>
class Outputs {
 public:
  /// `streams`: the streams of the steps, which outputs wait for. Checkpoints record the checksums
  /// of `problem.inputs`. `quantities`: those of the state. `stages`: of a full step. All
  /// references must outlive the object.
  Outputs(const comm::Streams& streams, const Domain<Real>& domain, const Problem<Real>& problem,
          const Config& config, std::vector<comm::Quantity> quantities, int stages,
          const RestartState& restart, const io::Log& log);

  /// Called with the first state of the run; replaces results of an earlier run.
  void begin(const solver::Clock& clock, const solver::State<Real>& state);
  /// Called before a step. The accumulator board that the step has to fill; null if no diagnostics
  /// follow the step. Local.
  solver::AccumulatorBoard<Real>* instrument(const solver::Clock& clock);
  /// Called before steps. How many of the next steps, at most `most`, can be taken at once: equally
  /// long ones without an instrumented one, of which only the last leads to outputs. Local, with
  /// the same result on every rank.
  int plain_steps(const solver::Clock& clock, int most) const;
  /// Whether `after_step` writes anything of the state. Local, with the same result on every rank.
  bool due(const solver::Clock& clock, const RunRequests& requests) const {
    return due_now(clock, requests).any();
  }
  /// Called after each step, which has filled the board that `instrument` gave; writes what is due.
  void after_step(const solver::Clock& clock, const solver::State<Real>& state,
                  const RunRequests& requests, PhaseTimers& timers);
  /// Called after the last step; writes the last state to every output that does not have it yet.
  void end(const solver::Clock& clock, const solver::State<Real>& state);
  /// Called if the run stops early; writes a checkpoint from which a restart gives the same bits as
  /// an uninterrupted run.
  void stop(const solver::Clock& clock, const solver::State<Real>& state);
  /// Called if an error ends the run; completes the files begun before the error.
  void finish_writes() { files_.finish(); }

  const Diagnostics& first_diagnostics() const { return first_; }
  const Diagnostics& last_diagnostics() const { return last_; }
  const std::vector<OutOfBounds>& out_of_bounds() const { return bounds_check_.found(); }
  const StateFiles<Real>& files() const { return files_; }

 private:
  /// The outputs that are due after a step.
  struct Due {
    bool diagnostics, watchdog, checkpoint, field;
    bool any() const { return watchdog || checkpoint || field; }
  };
  Due due_now(const solver::Clock& clock, const RunRequests& requests) const;
  /// Whether diagnostics of the state follow the step that led to it.
  bool is_diagnosed(const solver::Clock& clock) const {
    return diagnostics_schedule_.due(clock) || watchdog_schedule_.due(clock) || clock.finished();
  }
  /// With a schedule in simulated time, snapshots are due where the clock lands.
  bool field_due(const solver::Clock& clock) const {
    return clock.landed() || field_schedule_.due(clock);
  }
  void diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature);
  Diagnostics diagnostics_now(const solver::Clock& clock, const solver::Field<Real>& temperature);
  void update_last(const solver::Clock& clock, const solver::Field<Real>& temperature);
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
  std::vector<FlowPlace> places_;
  const Problem<Real>& problem_;
  solver::AccumulatorBoard<Real> board_;
  std::int64_t instrumented_step_ = -1;  ///< the step whose accumulator is on the board
  solver::Schedule checkpoint_schedule_;
  solver::Schedule field_schedule_;
  DiagnosticsFile diagnostics_;
  FailurePolicy policy_;
  StateFiles<Real> files_;  ///< its threads flush diagnostics_
  BoundsCheck bounds_check_;
  Diagnostics first_;
  Diagnostics last_;
  std::int64_t diagnosed_step_ = -1;
  bool rows_wait_ = false;  ///< diagnostics_ could not write its last rows
};

}  // namespace halotherm::app
