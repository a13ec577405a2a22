// SPDX-License-Identifier: MIT
// A run's checkpoints and snapshots: copies of the state that are written during later steps.
#pragma once

#include "app/control/run_control.hpp"
#include "app/domain/domain.hpp"
#include "app/output/failure_policy.hpp"
#include "app/output/file_writer.hpp"
#include "app/results/restart_state.hpp"
#include "io/field/field_series.hpp"
#include "io/field/field_writer.hpp"
#include "solver/equation/clock.hpp"
#include "solver/field/snapshot.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace halotherm::app {

/// The temperature as a run shows it, everywhere but in checkpoints.
comm::Quantity shown_temperature(const Config& config);

/// Statistics of the files of one kind.
struct Written {
  std::int64_t files = 0;
  std::int64_t failures = 0;
  std::int64_t bytes = 0;
  double seconds = 0;     ///< spent writing, mostly during the computation [s]
  double waited = 0;      ///< that the run waited for writing [s]
  double latency = 0;     ///< longest time from the copy to the final name [s]
  comm::FileHints hints;  ///< that MPI-IO used for the last file; empty without MPI-IO

  void add(const io::WrittenFile& file);
};

/// Non-const members other than `poll` are collective and throw CollectiveError. Instantiated for
/// float and double.
template <class Real>
class StateFiles {
 public:
  /// `quantities`: those of the state. A thread of rank 0 calls `publishing` before a checkpoint
  /// gets its final name.
  StateFiles(const Domain<Real>& domain, const Config& config,
             std::vector<comm::Quantity> quantities, const RestartState& restart,
             const std::vector<io::InputChecksum>& inputs, const FailurePolicy& policy,
             std::function<void()> publishing);

  /// Creates the folders; called before the first write.
  void open();

  /// Copies the state, whose kernels must have ended, at the clock's time and begins the selected
  /// files. Only one copy is held at a time: if the file system is slower than the schedule, the
  /// run waits here.
  void write(const solver::Clock& clock, const solver::State<Real>& state, bool checkpoint,
             bool field);
  /// Advances the writing. Local and cheap.
  void poll() { writer_.poll(); }
  /// Waits for files under way and reports failures as configured.
  void collect();
  /// Waits for files under way and only warns of failures, at the end of a run by another error.
  void finish();

  /// The state of this rank's files that are not yet collected.
  Writing writing() const;
  bool has_series() const { return series_.has_value(); }
  /// Whether snapshots are configured and none exists for the step.
  bool lacks_field(std::int64_t step) const { return series_ && !series_->has(step); }
  /// Whether a checkpoint of the step is written or under way.
  bool has_checkpoint(std::int64_t step) const { return checkpoint_step_ == step; }
  /// Throws the failure of the step's checkpoint, if it has none, whatever `output.on_failure` is:
  /// the last state must not be lost.
  void require_checkpoint(std::int64_t step) const;
  /// Estimated time for one more checkpoint, from the longest so far or from its size [s].
  double reserve() const;

  const Written& checkpoints() const { return checkpoints_; }
  const Written& fields() const { return fields_; }
  const FileWriter& writer() const { return how_; }

 private:
  void start_checkpoint(const solver::Clock& clock, const solver::State<Real>& state);
  void start_field(const solver::Clock& clock);
  std::span<const Real> point_values();

  const comm::Communicator& world_;
  const Config& config_;
  comm::Box owned_;
  std::vector<comm::Quantity> quantities_;
  const RestartState& restart_;
  const std::vector<io::InputChecksum>& inputs_;
  const FailurePolicy& policy_;
  std::function<void()> publishing_;
  io::GridShape shape_;
  std::string resolved_;
  std::vector<comm::Box> blocks_;  ///< every rank's
  io::Redistribution<Real> checkpoint_values_;
  std::optional<io::Redistribution<Real>> field_values_;  ///< of the snapshots' points
  std::optional<io::FieldSeries> series_;
  solver::Snapshot<Real> snapshot_;
  FileWriter how_;
  std::vector<Real> point_values_;
  io::FieldWriter<Real> writer_;     ///< destroyed before the members that its threads use
  std::vector<Written*> under_way_;  ///< the kinds of the files under way, in the writer's order
  std::int64_t checkpoint_step_ = -1;
  Written checkpoints_;
  Written fields_;
  std::optional<comm::CollectiveError> checkpoint_failure_;  ///< the last one
};

}  // namespace halotherm::app
