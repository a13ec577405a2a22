// SPDX-License-Identifier: MIT
#include "app/scale/scale_solves.hpp"

#include "comm/system/stopwatch.hpp"
#include "io/files/checksum.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::app {

namespace {

constexpr double repeat_seconds = 1.0;
constexpr std::int64_t most_solves = 1000;

/// Of a step [s]; where a tolerance chooses it, a hundredth of the run stands for it.
double length_of(const TimeConfig& time) {
  return time.dt.value_or(0.01 * time.end.value_or(0));
}

/// Of the system of a step [1/s]: 0 of a steady state.
double rate_of(const TimeConfig& time) {
  const double dt = length_of(time);
  switch (time.integrator) {
    case solver::Method::steady:
      return 0;
    case solver::Method::crank_nicolson:
      return 2 / dt;
    case solver::Method::tr_bdf2:
      return 1 / ((1 - std::sqrt(0.5)) * dt);
    default:
      return 1 / dt;
  }
}

}  // namespace

bool has_solves(const Config& config) {
  return config.time.integrator == solver::Method::steady ||
         solver::is_implicit(config.time.integrator);
}

template <class Real>
ScaleSolves<Real>::ScaleSolves(const comm::Communicator& ranks, const comm::Streams& streams,
                               Domain<Real>& domain, Problem<Real>& problem, const Config& config)
    : ranks_(ranks),
      streams_(streams),
      domain_(domain),
      problem_(problem),
      rate_(rate_of(config.time)),
      end_(rate_ > 0 ? length_of(config.time) : 0),
      start_(problem.initial_temperature(config)),
      before_(domain.field("temperature before")),
      temperature_(domain.field("temperature")),
      refinement_(streams, domain, problem, config, rate_ > 0) {
  solver::copy_from_host<Real>(start_, domain_.owned, before_);
}

/// Seconds of one solve on this rank.
template <class Real>
double ScaleSolves<Real>::solve() {
  streams_.fence();
  solver::copy_from_host<Real>(start_, domain_.owned, temperature_);
  ranks_.barrier();
  const comm::Stopwatch stopwatch;
  record_ = refinement_.solve(temperature_, before_, "the solution of the study");
  return stopwatch.seconds();
}

template <class Real>
SolveSummary ScaleSolves<Real>::prepare(std::optional<std::int64_t> solves) {
  problem_.apply_conditions(streams_.bulk(), {end_, 0, end_});
  streams_.fence();
  problem_.check_conditions();
  const comm::Stopwatch stopwatch;
  solver::copy_from_host<Real>(start_, domain_.owned, temperature_);
  refinement_.set_matrix(rate_, temperature_);
  streams_.fence();
  SolveSummary summary;
  summary.setup = ranks_.max(stopwatch.seconds());
  solve();
  const double seconds = ranks_.max(solve());
  const auto in_a_second = static_cast<std::int64_t>(repeat_seconds / seconds);
  solves_ = solves.value_or(std::clamp<std::int64_t>(in_a_second, 1, most_solves));
  summary.iterations = record_.iterations;
  summary.levels = record_.levels;
  summary.solves = solves_;
  summary.field_bytes = ranks_.sum(temperature_.bytes());
  summary.checksum = checksum();
  return summary;
}

template <class Real>
auto ScaleSolves<Real>::measure() -> Times {
  problem_.apply_conditions(streams_.bulk(), {end_, 0, end_});
  double solves = 0, coarse = 0;
  for (std::int64_t n = 0; n < solves_; ++n) solves += solve();
  for (std::int64_t n = 0; n < solves_; ++n) coarse += coarse_levels();
  const auto mean = [&](double seconds) {
    return ranks_.max(seconds) / static_cast<double>(solves_);
  };
  return {mean(solves), mean(coarse)};
}

/// Seconds on this rank, with as many cycles as a solve.
template <class Real>
double ScaleSolves<Real>::coarse_levels() {
  streams_.fence();
  ranks_.barrier();
  const comm::Stopwatch stopwatch;
  refinement_.repeat_coarse_levels(record_.iterations);
  return stopwatch.seconds();
}

template <class Real>
std::uint64_t ScaleSolves<Real>::checksum() const {
  std::vector<Real> values(start_.size());
  solver::copy_to_host<Real>(temperature_, domain_.owned, values);
  auto sum = io::field_checksum<Real>(domain_.partition.cells(), domain_.owned, values);
  ranks_.sum(std::span(&sum, 1));
  return sum;
}

template class ScaleSolves<float>;
template class ScaleSolves<double>;

}  // namespace halotherm::app
