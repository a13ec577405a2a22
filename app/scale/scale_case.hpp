// SPDX-License-Identifier: MIT
// The measurements of a scaling study on one number of ranks.
#pragma once

#include "app/integrate/integrator.hpp"
#include "app/integrate/partition_choice.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/scale/scale_run_steps.hpp"
#include "app/scale/scale_solves.hpp"

#include <algorithm>
#include <optional>

namespace halotherm::app {

/// The configured problem without its outputs. All members are collective over the communicator.
/// Instantiated for float and double.
template <class Real>
class ScaleCase {
 public:
  /// Steps after which fields are compared between the numbers of ranks.
  static constexpr int checked_steps = 20;

  /// Allocates and binds everything. `configured` comes from config_for. Throws CollectiveError.
  ScaleCase(comm::Communicator ranks, const Config& configured, const comm::Streams& streams);

  /// Takes the first steps, and measures what does not change between repeats.
  /// `steps`: of a repeat; none: about a second's. `oversubscription`: threads per core of this
  /// rank, or ranks on its device.
  void prepare(std::optional<std::int64_t> steps, double oversubscription, ScaleRow& row);

  /// One repeat.
  ScaleSample measure();

  /// Takes steps until the devices' clocks have settled.
  Steady measure_steady();

  /// Throws CollectiveError (numerics) if a temperature is not finite.
  void check_finite() const;

 private:
  /// To warm up.
  std::int64_t few_steps() const { return std::max<std::int64_t>(1, steps_a_repeat_ / 20); }
  std::int64_t quarter_repeat() const { return std::max<std::int64_t>(1, steps_a_repeat_ / 4); }
  void launch(std::int64_t steps);
  void advance(std::int64_t steps);
  void describe(ScaleRow& row) const;
  std::vector<Real> values() const;
  std::uint64_t checksum() const;
  void prepare_run_steps(ScaleRow& row);
  std::int64_t steps_in_a_second() const;
  double seconds_of_launches();
  double seconds_of_messages(bool tiny) const;
  void measure_steps(ScaleSample& sample);
  void measure_clocks(ScaleSample& sample);
  void measure_computation(ScaleSample& sample);

  comm::Communicator ranks_;
  Config config_;
  const comm::Streams& streams_;
  PartitionChoice choice_;
  Domain<Real> domain_;
  Problem<Real> problem_;
  StepBounds bounds_;
  Integrator<Real> integrator_;
  solver::State<Real> state_;
  std::optional<ScaleSolves<Real>> solves_;
  std::optional<ScaleRunSteps<Real>> run_steps_;
  double dt_;  ///< [s]
  /// Simulated time starts anew after this number, so that formulas are evaluated at valid times.
  std::int64_t steps_of_a_run_;
  std::int64_t step_ = 0;
  std::int64_t steps_a_repeat_ = 1;
  double step_seconds_ = 0;  ///< of one step, estimated
  double oversubscription_ = 1;
};

}  // namespace halotherm::app
