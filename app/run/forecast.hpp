// SPDX-License-Identifier: MIT
// Predicts a run's step, duration and refusals: for `check`, `--dry-run` and the start of a run.
#pragma once

#include "app/config/config.hpp"
#include "app/integrate/time_step_size.hpp"
#include "app/problem/contacts.hpp"
#include "app/problem/region_census.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/partition/partition.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::app {

/// The parts of a step's time, on the slowest rank [s].
struct StepCost {
  /// all of its kernels, launches and formulas included; 0 if not measured
  double computation = 0;
  double launches = 0;  ///< of it, what it would take on next to no cells
  double exchange = 0;  ///< packing and messages alone
  /// as a run has it; 0: not measured, and at least the larger of computation and exchange
  double step = 0;

  double at_least() const {
    return step > 0 ? step : computation > exchange ? computation : exchange;
  }
};

struct Forecast {
  double dt = 0;           ///< [s]
  int stages = 1;          ///< of a step
  std::int64_t steps = 0;  ///< to go
  /// share of the cells whose coefficients and initial temperature were sampled
  double looked_at = 1;
  std::int64_t cells = 0;
  int ranks = 1;
  bool dt_is_chosen = false;  ///< by time.dt
  /// by time.tolerance: `dt` is the longest step that it may allow, `steps` the fewest
  bool dt_adapts = false;
  bool solves = false;       ///< each step; where the steps adapt, too, nothing bounds `dt`
  bool dt_follows = false;   ///< the temperatures (app/integrate/step_range.hpp): `dt` is the first
  bool dt_is_least = false;  ///< where it follows: no step is shorter
  bool steady = false;       ///< solved for, without steps
  StepCost cost;
  RegionCensus regions{};             ///< none if no region has a shape
  std::vector<std::string> unheld{};  ///< lines on parts whose temperature nothing holds
  ContactCensus contacts{};

  double seconds() const { return static_cast<double>(steps) * cost.at_least(); }
};

/// Collective, within a DeviceScope. Does to the configuration what a run's start does, but piece
/// by piece, so that a grid may be larger than the memory: samples the materials, the source, the
/// sides and the initial temperature, and finds the step. Of grids that take longer than `budget`
/// [s] planes all over the grid are looked at. Then takes some steps on a part of the block, and
/// some exchanges, in a fraction of a second. Writes nothing. Throws the run's own CollectiveError
/// if a value or time.dt is refused.
template <class Real>
Forecast forecast(const comm::Communicator& world, const Config& config,
                  const comm::Partition& partition, double budget = 20);

/// Collective, within a DeviceScope. The steps alone, without their cost and without counts of
/// regions, contacts and parts: of this rank's `cells`, that a run may divide among other ranks.
template <class Real>
Forecast forecast_steps(const comm::Communicator& world, const Config& config,
                        const comm::Box& cells, double budget);

/// Collective, within a DeviceScope. The bounds of a step that `forecast` finds: of what it looks
/// at within `budget` [s].
template <class Real>
StepBounds predicted_bounds(const comm::Communicator& world, const Config& config,
                            const comm::Partition& partition, double budget = 20);

/// Collective, within a DeviceScope. The cost of a step of so many stages of the configured
/// explicit method, as `forecast` measures it.
template <class Real>
StepCost trial_cost(const comm::Communicator& world, const Config& config,
                    const comm::Partition& partition, int stages);

}  // namespace halotherm::app
