// SPDX-License-Identifier: MIT
#include "app/linear/steady_state.hpp"

#include "comm/mpi/error.hpp"
#include "solver/field/copy_bandwidth.hpp"

#include <fmt/format.h>

namespace halotherm::app {

template <class Real>
SteadyState<Real>::SteadyState(const comm::Streams& streams, Domain<Real>& domain,
                               Problem<Real>& problem, solver::State<Real>& state,
                               const Config& config)
    : world_(domain.world), refinement_(streams, domain, problem, config, false) {
  if (problem.change_with_time())
    throw comm::CollectiveError(
        comm::ExitCode::usage,
        {"time.integrator: steady stands beside conditions that change with time",
         "a steady state has one value of each",
         "remove t from the formulas, or take backward-euler and a time.end"});
  refinement_.set_matrix(0, state.temperature());
  setup_seconds_ = stopwatch_.seconds();
  if (refinement_.anchored()) return;
  throw comm::CollectiveError(
      comm::ExitCode::usage,
      {"time.integrator: steady has no solution, or no only one",
       "heat flows through no side by the temperature there, so nothing holds the temperature",
       "give a side a temperature or convection, or integrate in time"});
}

/// Of the temperature field, by the best of a few copies on this rank [s].
template <class Real>
double SteadyState<Real>::seconds_of_copy(const solver::Field<Real>& temperature) {
  constexpr int repeats = 3;
  return 2 * static_cast<double>(temperature.bytes()) /
         solver::copy_bandwidth(temperature, refinement_.scratch(), repeats);
}

template <class Real>
SolveRecord SteadyState<Real>::solve(solver::State<Real>& state, const io::Log& log) {
  const comm::Stopwatch stopwatch;
  auto& temperature = state.temperature();
  const auto progress = [&](const SolveRecord& part) {
    log.line(
        fmt::format("steady         residual {:.2e} of the first after {} iterations, {:.3g} s",
                    part.residuals.back(), part.iterations, stopwatch.seconds()));
  };
  auto record = refinement_.solve(temperature, temperature, "the steady state", progress);
  record.setup_seconds = world_.max(setup_seconds_);
  record.seconds = world_.max(stopwatch.seconds());
  record.copies = record.seconds / world_.max(seconds_of_copy(temperature));
  return record;
}

template class SteadyState<float>;
template class SteadyState<double>;

}  // namespace halotherm::app
