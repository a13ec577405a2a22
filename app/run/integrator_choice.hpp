// SPDX-License-Identifier: MIT
// time.integrator: auto: which method reaches the end soonest with the requested error.
#pragma once

#include "app/run/error_search.hpp"
#include "comm/mpi/communicator.hpp"
#include "comm/partition/partition.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::app {

/// What a method needs for the whole run.
struct Candidate {
  solver::Method method = solver::Method::euler;
  MeasuredError measured;
  std::int64_t least_steps = 1;  ///< that its bound allows; 1 of implicit methods
  std::int64_t steps = 0;        ///< that are predicted; 0: it is out of the question
  double step_tolerance = 0;     ///< that lengths of steps follow [K]; 0: they are equal
  double longest_step = 0;       ///< [s]
  int stages = 1;                ///< of a step, of the longest one where lengths follow
  double step_seconds = 0;       ///< measured, on the slowest rank
  std::string reason;            ///< why it is out of the question

  double seconds() const { return static_cast<double>(steps) * step_seconds; }
  /// Of the predicted steps [K].
  double error() const { return step_tolerance > 0 ? measured.error : measured.error_of(steps); }
};

struct IntegratorChoice {
  std::vector<Candidate> candidates;
  std::size_t best = 0;
  double end = 0;          ///< of the run [s]
  double tolerance = 0;    ///< [K]
  double pilot_cells = 0;  ///< on which errors were measured
  double trial_cells = 0;  ///< on which implicit steps were timed
  double cells = 0;        ///< of the grid
};

/// The candidate with the shortest time. At least one has steps.
std::size_t best_of(const std::vector<Candidate>& candidates);

/// Collective, within a DeviceScope. Measures errors and costs for a configuration with
/// time.integrator: auto; the same choice on all ranks. Throws CollectiveError if the problem
/// cannot be set up, or if no method can reach the end.
IntegratorChoice choose_integrator(const comm::Communicator& world, const Config& config,
                                   const comm::Partition& partition);

/// The configuration with the best method, and with its dt unless that follows from the bound or
/// from the tolerance of a step.
Config with_choice(Config config, const IntegratorChoice& choice);

}  // namespace halotherm::app
