// SPDX-License-Identifier: MIT
#include "app/integrate/time_step_size.hpp"

#include "comm/mpi/error.hpp"
#include "solver/equation/monotone_dt.hpp"

#include <fmt/format.h>

namespace halotherm::app {

namespace {
constexpr double rounding = 1e-12;
}  // namespace

template <class Real>
StepBounds step_bounds(const comm::Communicator& world, const solver::HeatEquation<Real>& equation,
                       const BoundaryConditions<Real>& boundary) {
  const auto sides = boundary.strictest_sides();
  return {.monotone = world.min(solver::monotone_dt(equation, sides)),
          .stable = world.min(equation.stable_dt(sides.owned))};
}

double choose_dt(const TimeConfig& config, const StepBounds& bounds) {
  if (!config.dt)
    return config.safety * (config.bound == StepBound::monotone ? bounds.monotone : bounds.stable);
  if (*config.dt > bounds.stable * (1 + rounding)) {
    throw comm::CollectiveError(
        comm::ExitCode::numerics,
        {fmt::format("time.dt: {:.6g} s is unstable", *config.dt),
         fmt::format("forward Euler's bound for these coefficients is {:.6g} s", bounds.stable),
         "choose a smaller one, or auto"});
  }
  return *config.dt;
}

std::string step_note(const StepBounds& bounds, double dt) {
  if (dt <= bounds.monotone * (1 + rounding)) return "";
  return fmt::format(
      "steps of {:.6g} s may overshoot at sides (new extremes are impossible up to {:.6g} s, which "
      "dt: "
      "auto keeps)",
      dt, bounds.monotone);
}

template StepBounds step_bounds(const comm::Communicator&, const solver::HeatEquation<float>&,
                                const BoundaryConditions<float>&);
template StepBounds step_bounds(const comm::Communicator&, const solver::HeatEquation<double>&,
                                const BoundaryConditions<double>&);

solver::End end_of(const TimeConfig& config) {
  return {config.end, config.steps};
}

solver::Schedule schedule_of(const ScheduleConfig& config) {
  return {config.every, config.steps};
}

}  // namespace halotherm::app
