// SPDX-License-Identifier: MIT
// Everything that a run writes while it goes: diagnostics, checkpoints, fields, progress.
#pragma once

#include "app/diagnostics_file.hpp"
#include "app/observation.hpp"
#include "app/run_control.hpp"
#include "app/start.hpp"
#include "io/field_series.hpp"
#include "io/field_writer.hpp"
#include "io/log.hpp"
#include "solver/snapshot.hpp"
#include "solver/tally_board.hpp"

#include <optional>
#include <vector>

namespace halotherm::app {

/// What was written of one kind.
struct Written {
  std::int64_t files = 0;
  std::int64_t failures = 0;
  std::int64_t bytes = 0;
  double seconds = 0;  ///< that disks took, most of it beside the computation
  double waited = 0;   ///< [s] the run waited for it
  double latency = 0;  ///< [s] the longest one took from its moment to its final name

  void add(const io::WrittenFile& file);
};

/// Instantiated for float and double. All members but `writing` and `reserve` are collective and throw CollectiveError.
template <class Real>
class Outputs {
 public:
  /// `streams`: those of the steps, for whose results outputs wait.
  Outputs(const comm::Communicator& world, const comm::Streams& streams, const Config& config,
          const solver::HeatEquation<Real>& equation, const comm::Box& owned, const Start& start, const io::Log& log);

  /// At the first state of the run: only now are results of an earlier one replaced.
  void begin(const solver::Clock& clock, const solver::Field<Real>& temperature);
  /// Before a step: where it is to leave a tally for the diagnostics that follow it; null if none do.
  solver::TallyBoard<Real>* watch(const solver::Clock& clock);
  /// After a step; `previous` is the field before it. Does what is due, mostly nothing.
  void after_step(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous,
                  const Orders& orders, comm::PhaseTimers& timers);
  /// After the last step: the last state goes into every output that does not have it yet.
  void end(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous);
  /// Before the end: the state goes into a checkpoint from which another run goes on as if nothing had happened.
  void stop(const solver::Clock& clock, const solver::Field<Real>& temperature);
  /// While an error ends the run: files that were begun before it are good, and get the time to become complete.
  void finish_writes();

  bool writing() const { return !writer_.idle(); }
  /// What one more checkpoint will take, by the longest so far or else by its size [s].
  double reserve() const;

  const Observation& first_observation() const { return first_; }
  const Observation& last_observation() const { return last_; }
  const Written& checkpoints() const { return checkpoints_; }
  const Written& fields() const { return fields_; }

 private:
  void diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous);
  Observation observe_now(const solver::Clock& clock, const solver::Field<Real>& temperature,
                          const solver::Field<Real>& previous) const;
  void write(const solver::Clock& clock, const solver::Field<Real>& temperature, bool checkpoint, bool field);
  void start_checkpoint(const solver::Clock& clock);
  void start_field(const solver::Clock& clock);
  std::span<const Real> image_values();
  void collect();
  void report(const comm::CollectiveError& failure);
  void check_diagnostics();
  void open();
  void open_diagnostics();
  void warn(const std::string& text);
  void show(const solver::Clock& clock);

  const comm::Communicator& world_;
  const comm::Streams& streams_;
  const Config& config_;
  comm::Box owned_;
  const Start& start_;
  solver::Grid grid_;
  std::string resolved_;
  io::Log log_;
  io::Progress progress_;
  solver::Schedule diagnostics_schedule_;
  solver::Schedule watchdog_schedule_;
  solver::TallyBoard<Real> board_;
  std::int64_t watched_step_ = -1;  ///< whose tally is on the board
  solver::Schedule checkpoint_schedule_;
  solver::Schedule field_schedule_;
  std::optional<io::FieldSeries> series_;
  DiagnosticsFile diagnostics_;
  std::vector<comm::Box> blocks_;  ///< every rank's
  io::WritePlan checkpoint_plan_;
  std::optional<io::WritePlan> field_plan_;
  solver::Snapshot<Real> snapshot_;
  std::vector<Real> image_values_;
  io::FieldWriter<Real> writer_;     ///< before what its threads use
  std::vector<Written*> under_way_;  ///< whose files the writer is at, in its order
  Observation first_;
  Observation last_;
  std::int64_t checkpoint_step_ = -1;  ///< of the last one that is good or under way
  std::int64_t field_step_ = -1;
  std::int64_t diagnosed_step_ = -1;
  Written checkpoints_;
  Written fields_;
  std::optional<comm::CollectiveError> last_failure_;
  bool diagnostics_failing_ = false;
};

}  // namespace halotherm::app
