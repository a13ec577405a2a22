// SPDX-License-Identifier: MIT
#include "app/integrate/adaptive_steps.hpp"

#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

/// Steps that are so much shorter than those of forward Euler show that an error does not vanish.
constexpr double shortest_share = 1e-6;

template <class Real>
solver::StepControl control_of(const TimeConfig& config, const StepBounds& bounds,
                               const solver::State<Real>& state) {
  const double longest = longest_dt(config, bounds);
  const auto& numbers = state.numbers();
  const auto kept = numbers.find(AdaptiveSteps<Real>::last_error);
  if (kept == numbers.end()) return {config.integrator, *config.tolerance, longest};
  return {config.integrator, *config.tolerance, longest, kept->second};
}

}  // namespace

void StepCounts::add_trial(const StepWork& work) {
  stages += work.stages;
  bytes_per_cell += work.bytes;
  flops_per_cell += work.flops;
}

void StepCounts::add_step(double length) {
  smallest_dt = steps == 0 ? length : std::min(smallest_dt, length);
  largest_dt = std::max(largest_dt, length);
  ++steps;
}

template <class Real>
AdaptiveSteps<Real>::AdaptiveSteps(const TimeConfig& config, const StepBounds& bounds,
                                   StepAttempts<Real>& steps, const Problem<Real>& problem,
                                   solver::State<Real>& state)
    : steps_(steps),
      problem_(problem),
      control_(control_of(config, bounds, state)),
      shortest_(shortest_share * choose_dt(config, bounds)) {
  state.numbers() = {{last_error, control_.last_error()}, {tolerance, control_.tolerance()}};
}

template <class Real>
void AdaptiveSteps<Real>::require_length(double dt, double error, double time) const {
  if (dt >= shortest_) return;
  problem_.check_conditions();  // a formula may be the cause
  throw comm::CollectiveError(
      comm::ExitCode::numerics,
      {fmt::format("time.tolerance: {:.6g} K is not reached at t = {:.6g} s", control_.tolerance(),
                   time),
       std::isfinite(error)
           ? fmt::format("steps of {:.3g} s still have an estimated error of {:.3g} K", dt, error)
           : fmt::format("steps of {:.3g} s still have no finite result", dt),
       "choose a larger one, or float64, and check the values of sources and sides at that time"});
}

template <class Real>
void AdaptiveSteps<Real>::take(solver::State<Real>& state, solver::Clock& clock,
                               const Instrument& instrument) {
  for (;;) {
    const double length = clock.dt();
    auto* const board = instrument();
    const double error = steps_.attempt(state, clock.time(), length, board);
    counts_.add_trial(steps_.work(length));
    const auto verdict = control_.judge(length, clock.full_dt(), error);
    if (verdict.accepted) {
      steps_.accept(state, length, board);
      counts_.add_step(length);
      clock.advance();
      clock.set_full_dt(verdict.dt);
      state.numbers()[last_error] = control_.last_error();
      return;
    }
    ++counts_.rejected;
    require_length(verdict.dt, error, clock.time());
    clock.set_full_dt(verdict.dt);
  }
}

template class AdaptiveSteps<float>;
template class AdaptiveSteps<double>;

}  // namespace halotherm::app
