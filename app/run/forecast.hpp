// SPDX-License-Identifier: MIT
// What a run will take, and whether it will be refused, before it begins: for `check`, `--dry-run`
// and a run's start.
#pragma once

#include "app/config/config.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/partition/partition.hpp"

#include <cstdint>
#include <string>

namespace halotherm::app {

/// How long a step takes, apart. Times are those of the slowest rank [s].
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
  std::int64_t steps = 0;  ///< to go
  /// share of the cells whose coefficients and initial temperature were sampled
  double looked_at = 1;
  std::int64_t cells = 0;
  int ranks = 1;
  bool dt_is_chosen = false;  ///< by time.dt
  StepCost cost;

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

/// The steps and how long they will take, with a warning beyond a day and one if fewer ranks would
/// be faster; lines of the start's text.
std::string to_string(const Forecast& forecast);

/// The same for a run's start, without advice on the number of ranks, which its end gives by what
/// was measured; no line end.
std::string expectation_text(Forecast forecast);

/// What a step would take on so many ranks instead of `ranks` [s], of which nobody waits for
/// another on one: pure.
double step_on_fewer(const StepCost& cost, int ranks, int fewer);

/// "1 rank would be faster: about 12 us a step, where 2 take 14.3 us, of which …", if that is clear
/// from the cost; else empty. Pure.
std::string fewer_ranks_text(const StepCost& cost, int ranks);

}  // namespace halotherm::app
