// SPDX-License-Identifier: MIT
// The length of a run's steps: bounds and choice.
#pragma once

#include "app/config/config.hpp"
#include "app/problem/boundary_conditions.hpp"
#include "solver/equation/clock.hpp"
#include "solver/integrators/scheme.hpp"

namespace halotherm::app {

/// Upper bounds of a step of forward Euler with the actual coefficients and sides [s].
struct StepBounds {
  double monotone = 0;  ///< above it steps may make new extremes (solver/equation/monotone_dt.hpp)
  double stable = 0;    ///< above it they grow
};

/// Collective. The bounds over all blocks and all times: a side whose coefficient changes with time
/// counts as a fixed temperature. `source_fall` [1/s], of all blocks: the largest −dq/dT/(rho c).
template <class Real>
StepBounds step_bounds(const comm::Communicator& world, const solver::HeatEquation<Real>& equation,
                       const BoundaryConditions<Real>& boundary, double source_fall = 0);

/// The configured method; RKL2 stretches `safety` times the stability bound. With a tolerance steps
/// keep the temperature before them.
solver::Scheme scheme_of(const TimeConfig& config, const StepBounds& bounds);

/// The full step [s]: the configured one, or `safety` times the configured bound, with RKL2 the
/// stability bound, times the stretch of the configured stages. Throws CollectiveError (numerics)
/// that names the step and the longest one allowed if a configured step is longer; the same on
/// every rank. With a tolerance: the first full step, that of forward Euler.
double choose_dt(const TimeConfig& config, const StepBounds& bounds);

/// With a tolerance, the longest step that the method and the configured stages allow [s]; without
/// end where steps are implicit.
double longest_dt(const TimeConfig& config, const StepBounds& bounds);

/// A note to the user on the chosen step; usually empty.
std::string step_note(const TimeConfig& config, const StepBounds& bounds, double dt);

solver::End end_of(const TimeConfig& config);
solver::Schedule schedule_of(const ScheduleConfig& config);

}  // namespace halotherm::app
