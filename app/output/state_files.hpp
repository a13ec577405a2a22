// SPDX-License-Identifier: MIT
// A run's checkpoints and snapshots: taken in a moment, written while it goes on.
#pragma once

#include "app/control/run_control.hpp"
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

/// What was written of one kind.
struct Written {
  std::int64_t files = 0;
  std::int64_t failures = 0;
  std::int64_t bytes = 0;
  double seconds = 0;     ///< that disks took, most of it beside the computation
  double waited = 0;      ///< [s] the run waited for it
  double latency = 0;     ///< [s] the longest one took from its moment to its final name
  comm::FileHints hints;  ///< that MPI-IO followed for the last one; none if it did not write it

  void add(const io::WrittenFile& file);
};

/// Instantiated for float and double. Members that are not const are collective, but for `poll`,
/// and throw CollectiveError.
template <class Real>
class StateFiles {
 public:
  /// `publishing` is called on rank 0, by a thread, before a checkpoint gets its name.
  StateFiles(const comm::Communicator& world, const Config& config, const comm::Box& owned,
             const RestartState& start, const std::vector<io::InputChecksum>& inputs,
             const FailurePolicy& policy, std::function<void()> publishing);

  /// Makes the folders; before the first write.
  void open();

  /// Takes the field, whose kernels have ended, as it is at the clock's moment, and begins the
  /// files that are wanted. Only one moment is held at a time: a file system that is slower than
  /// the schedule makes the run wait here.
  void write(const solver::Clock& clock, const solver::Field<Real>& temperature, bool checkpoint,
             bool field);
  /// Local and cheap: moves the writing on.
  void poll() { writer_.poll(); }
  /// Waits for what is under way and reports what failed, as configured.
  void collect();
  /// The same, but failures are only warned of: for the end of a run that has worse to report.
  void finish();

  /// What this rank knows of what it has begun and not collected.
  Writing writing() const;
  bool has_series() const { return series_.has_value(); }
  /// Whether snapshots are wanted and there is none of the state after the step.
  bool lacks_field(std::int64_t step) const { return series_ && !series_->has(step); }
  /// Whether the state after the step stands in a checkpoint, or will once it is collected.
  bool has_checkpoint(std::int64_t step) const { return checkpoint_step_ == step; }
  /// The last state is what must not be lost: throws the failure that left the step without a
  /// checkpoint, if it did, however failures are to be taken.
  void require_checkpoint(std::int64_t step) const;
  /// What one more checkpoint will take, by the longest so far or else by its size [s].
  double reserve() const;

  const Written& checkpoints() const { return checkpoints_; }
  const Written& fields() const { return fields_; }
  const FileWriter& writer() const { return how_; }

 private:
  void start_checkpoint(const solver::Clock& clock);
  void start_field(const solver::Clock& clock);
  std::span<const Real> image_values();

  const comm::Communicator& world_;
  const Config& config_;
  comm::Box owned_;
  const RestartState& restart_;
  const std::vector<io::InputChecksum>& inputs_;
  const FailurePolicy& policy_;
  std::function<void()> publishing_;
  io::GridShape shape_;
  std::string resolved_;
  std::vector<comm::Box> blocks_;  ///< every rank's
  io::Redistribution<Real> checkpoint_values_;
  std::optional<io::Redistribution<Real>> field_values_;  ///< of the image's points
  std::optional<io::FieldSeries> series_;
  solver::Snapshot<Real> snapshot_;
  FileWriter how_;
  std::vector<Real> image_values_;
  io::FieldWriter<Real> writer_;     ///< ends before what its threads use
  std::vector<Written*> under_way_;  ///< whose files the writer is at, in its order
  std::int64_t checkpoint_step_ = -1;
  Written checkpoints_;
  Written fields_;
  std::optional<comm::CollectiveError> checkpoint_failure_;  ///< the last one
};

}  // namespace halotherm::app
