// SPDX-License-Identifier: MIT
// Facts of a finished run, from which summary and report are made.
#pragma once

#include "app/domain/transport_choice.hpp"
#include "app/integrate/adaptive_steps.hpp"
#include "app/integrate/partition_choice.hpp"
#include "app/integrate/phase_timers.hpp"
#include "app/integrate/steps_together.hpp"
#include "app/linear/steady_state.hpp"
#include "app/measure/calibration.hpp"
#include "app/output/outputs.hpp"
#include "comm/machine/environment.hpp"

#include <array>
#include <optional>
#include <vector>

namespace halotherm::app {

/// Of a run whose steps follow from a tolerance.
struct AdaptiveRecord {
  double tolerance = 0;  ///< [K]
  StepCounts counts;
};

struct RunRecord {
  comm::SplitPoints split_points;  ///< between the blocks
  double imbalance = 1;            ///< the largest block over the mean
  BalanceRecord balance;
  ChosenTransport transport;
  std::int64_t cells = 0;
  int dimensions = 3;
  int stages = 1;    ///< of a full step; with a tolerance the mean, as all numbers a step
  int together = 1;  ///< steps after one exchange
  TrialsTogether trials_together{};
  Pass pass = Pass::divided;    ///< of several steps
  int submitted = 1;            ///< steps that the host submits at once, at most
  int bytes_per_cell = 0;       ///< that a step must move, all stages together
  int flops_per_cell = 0;       ///< of a step
  int held_bytes_per_cell = 0;  ///< of the fields that a step reads or writes
  std::int64_t halo_bytes = 0;  ///< sent in the exchanges of a step, all ranks
  std::int64_t node_bytes = 0;  ///< of them, those that leave their node
  std::int64_t halo_messages = 0;
  double dt = 0;  ///< of a full step, the last one where a tolerance changes it [s]
  std::optional<AdaptiveRecord> adaptive;
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
  double loop_seconds = 0;  ///< the time loop on the slowest rank, all included
  double step_seconds = 0;  ///< of it: the steps themselves, without diagnostics and output
  std::array<double, phase_count> phases{};  ///< mean over the ranks [s]
  bool on_devices = false;                   ///< kernels run on GPUs
  std::int64_t cache_bytes = 0;  ///< of the last caches that a rank's CPUs have, as far as it has
                                 ///< not to share them; 0 if not known
  double processor = 1;  ///< share of its cores' time that a rank got in the time loop: the least
  Calibration calibration;
  SolveRecord solve;       ///< without levels unless the run solved linear systems
  std::string stopped_by;  ///< why it ended before its end; empty if it did not
  Diagnostics first;
  Diagnostics last;
  std::vector<OutOfBounds> out_of_bounds;  ///< at most one below and one above
  FileWriter writer;                       ///< of both
  Written checkpoints;
  Written fields;

  /// Collective: fills `step_seconds` and `phases` from every rank's loop time and timers. Where
  /// not every step is timed, the timed ones stand for all.
  void set_phases(const comm::Communicator& world, double my_loop_seconds,
                  const PhaseTimers& timers);

  double updates_per_second() const {
    return static_cast<double>(cells) * static_cast<double>(steps) / step_seconds;
  }
  /// Unavoidable memory traffic of the steps [bytes/s].
  double effective_bandwidth() const { return updates_per_second() * bytes_per_cell; }
  double copy_share() const { return effective_bandwidth() / calibration.copy_bandwidth; }
  int ranks() const {
    return static_cast<int>((split_points[0].size() - 1) * (split_points[1].size() - 1) *
                            (split_points[2].size() - 1));
  }
  bool communicates() const { return halo_messages > 0; }
  double seconds_of_step() const { return step_seconds / static_cast<double>(steps); }
  /// Why the share of the copy rate is not meaningful: the grid is so small that launches or caches
  /// dominate. Empty if it is.
  std::string not_graded() const;
  /// Whether the exchange takes a large enough part of a step for the hidden share to be
  /// measurable.
  bool hiding_shows() const { return calibration.exchange >= 0.05 * seconds_of_step(); }
  /// The part of the exchange's time that the interior's computation covered: 1 − (step −
  /// computation)/exchange, from 0 to 1.
  double hidden_share() const;
};

}  // namespace halotherm::app
