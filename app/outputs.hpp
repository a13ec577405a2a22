// SPDX-License-Identifier: MIT
// Everything that a run writes while it goes: diagnostics, checkpoints, fields, progress.
#pragma once

#include "app/observation.hpp"
#include "app/start.hpp"
#include "app/wall_schedule.hpp"
#include "io/field_series.hpp"
#include "io/log.hpp"
#include "solver/tally_board.hpp"

#include <fstream>
#include <optional>
#include <vector>

namespace halotherm::app {

/// What was written of one kind.
struct Written {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  double seconds = 0;  ///< the run waited for it

  void add(const io::WrittenFile& file, double took) {
    ++files;
    bytes += file.bytes;
    seconds += took;
  }
};

/// Instantiated for float and double. All members are collective and throw CollectiveError.
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
                  comm::PhaseTimers& timers);
  /// After the last step: the last state goes into every output that does not have it yet.
  void end(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous);

  const Observation& first_observation() const { return first_; }
  const Observation& last_observation() const { return last_; }
  const Written& checkpoints() const { return checkpoints_; }
  const Written& fields() const { return fields_; }

 private:
  void diagnose(const solver::Clock& clock, const solver::Field<Real>& temperature, const solver::Field<Real>& previous);
  Observation observe_now(const solver::Clock& clock, const solver::Field<Real>& temperature,
                          const solver::Field<Real>& previous) const;
  void write_checkpoint(const solver::Clock& clock, const solver::Field<Real>& temperature);
  void write_field(const solver::Clock& clock, const solver::Field<Real>& temperature);
  void note(const io::WrittenFile& file, Written& written, double seconds);
  std::span<const Real> on_host(const solver::Field<Real>& temperature);
  void open();
  void open_diagnostics();
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
  solver::TallyBoard<Real> board_;
  std::int64_t watched_step_ = -1;  ///< whose tally is on the board
  solver::Schedule checkpoint_schedule_;
  WallSchedule checkpoint_wall_schedule_;
  solver::Schedule field_schedule_;
  std::optional<io::FieldSeries> series_;
  std::ofstream diagnostics_;
  std::vector<Real> host_;
  Observation first_;
  Observation last_;
  std::int64_t checkpoint_step_ = -1;
  std::int64_t field_step_ = -1;
  Written checkpoints_;
  Written fields_;
};

}  // namespace halotherm::app
