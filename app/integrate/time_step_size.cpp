// SPDX-License-Identifier: MIT
#include "app/integrate/time_step_size.hpp"

#include "comm/mpi/error.hpp"
#include "solver/equation/monotone_dt.hpp"

#include <fmt/format.h>

#include <limits>

namespace halotherm::app {

namespace {
constexpr double rounding = 1e-12;
}  // namespace

template <class Real>
StepBounds step_bounds(const comm::Communicator& world, const solver::HeatEquation<Real>& equation,
                       const BoundaryConditions<Real>& boundary, double source_fall) {
  const auto sides = boundary.strictest_sides();
  const StepBounds bounds{.monotone = world.min(solver::monotone_dt(equation, sides)),
                          .stable = world.min(equation.stable_dt(sides.owned))};
  if (source_fall == 0) return bounds;
  // a source takes its fall from a cell's weight, and adds it to the largest eigenvalue
  return {.monotone = 1 / (1 / bounds.monotone + source_fall),
          .stable = 1 / (1 / bounds.stable + source_fall / 2)};
}

namespace {

using solver::Method;
using solver::Scheme;

/// The longest step of forward Euler that the configuration allows [s]. Steps of RKL2 are monotone
/// at no bound that would be worth keeping, so it takes the stability bound.
double euler_step(const TimeConfig& config, const StepBounds& bounds) {
  const bool monotone = config.bound == StepBound::monotone && config.integrator != Method::rkl2;
  return config.safety * (monotone ? bounds.monotone : bounds.stable);
}

void check_dt(const TimeConfig& config, const StepBounds& bounds) {
  const bool stretches = config.integrator == Method::rkl2;
  const double longest =
      stretches ? Scheme::stretch(Scheme::most_stages) * euler_step(config, bounds) : bounds.stable;
  if (*config.dt <= longest * (1 + rounding)) return;
  if (stretches) {
    throw comm::CollectiveError(
        comm::ExitCode::numerics,
        {fmt::format("time.dt: {:.6g} s takes more than {} stages", *config.dt,
                     Scheme::most_stages),
         fmt::format("rkl2's bound with so many and time.safety is {:.6g} s for these coefficients",
                     longest),
         "choose a smaller one, or auto"});
  }
  throw comm::CollectiveError(
      comm::ExitCode::numerics,
      {fmt::format("time.dt: {:.6g} s is unstable", *config.dt),
       fmt::format("{}'s bound for these coefficients is {:.6g} s",
                   config.integrator == Method::rk2 ? "rk2" : "forward Euler", longest),
       "choose a smaller one, auto, or time.integrator: rkl2 or backward-euler"});
}

}  // namespace

solver::Scheme scheme_of(const TimeConfig& config, const StepBounds& bounds) {
  return Scheme(config.integrator, euler_step(config, bounds), config.tolerance.has_value());
}

double longest_dt(const TimeConfig& config, const StepBounds& bounds) {
  if (solver::is_implicit(config.integrator)) return std::numeric_limits<double>::infinity();
  const double step = euler_step(config, bounds);
  if (config.integrator != Method::rkl2) return step;
  return Scheme::stretch(static_cast<int>(config.stages.value_or(Scheme::most_stages))) * step;
}

double choose_dt(const TimeConfig& config, const StepBounds& bounds) {
  if (config.dt) {
    if (!solver::is_implicit(config.integrator)) check_dt(config, bounds);
    return *config.dt;
  }
  const double step = euler_step(config, bounds);
  if (config.integrator != Method::rkl2 || config.tolerance) return step;
  return Scheme::stretch(static_cast<int>(config.stages.value_or(Scheme::usual_stages))) * step;
}

std::string step_note(const TimeConfig& config, const StepBounds& bounds, double dt) {
  if (config.integrator == Method::rkl2 || solver::is_implicit(config.integrator)) return "";
  if (dt <= bounds.monotone * (1 + rounding)) return "";
  return fmt::format(
      "steps of {:.6g} s may overshoot at sides (new extremes are impossible up to {:.6g} s, which "
      "dt: "
      "auto keeps)",
      dt, bounds.monotone);
}

template StepBounds step_bounds(const comm::Communicator&, const solver::HeatEquation<float>&,
                                const BoundaryConditions<float>&, double);
template StepBounds step_bounds(const comm::Communicator&, const solver::HeatEquation<double>&,
                                const BoundaryConditions<double>&, double);

solver::End end_of(const TimeConfig& config) {
  if (config.integrator == Method::steady) return {std::nullopt, 1};
  return {config.end, config.steps};
}

solver::Schedule schedule_of(const ScheduleConfig& config) {
  return {config.every, config.steps};
}

}  // namespace halotherm::app
