// SPDX-License-Identifier: MIT
#include "app/run/error_search.hpp"

#include "comm/system/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halotherm::app {

namespace {

constexpr double least_seconds = 0.5, most_seconds = 2;
constexpr int most_pilot_steps = 1 << 17;
constexpr int fewest_errors = 2;     ///< from which an order follows
constexpr double least_share = 0.5;  ///< of the method's order

constexpr std::int64_t most_adaptive_trials = 5000;
/// Errors of runs grow with tolerances of steps by powers of about 0.55 to 0.65, as measured
/// (tests/verification/time_order), so tolerances change by the inverse.
constexpr double error_power = 1.6;
constexpr double aim = 0.7;           ///< error that is sought, in tolerances
constexpr double close_enough = 0.4;  ///< error that ends the search, in tolerances
constexpr double most_factor = 30;    ///< between two tolerances
constexpr double worth_a_run = 1.3;   ///< between what is allowed and what is too large

/// Infinite where the runs have other samples.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double apart = std::abs(a[n] - b[n]);
    if (!(apart <= largest)) largest = apart;  // also one that is not a number
  }
  return largest;
}

double two_digits(double x) {
  return std::stod(fmt::format("{:.1e}", x));
}

}  // namespace

std::int64_t MeasuredError::steps_for(double tolerance) const {
  if (steps == 0) return 1;
  const double factor = error / tolerance;
  const double count = static_cast<double>(steps) * std::pow(factor, 1 / order);
  return std::max<std::int64_t>(Pilot::samples, static_cast<std::int64_t>(std::ceil(count)));
}

double MeasuredError::error_of(std::int64_t count) const {
  const double factor = static_cast<double>(steps) / static_cast<double>(count);
  return error * std::pow(factor, order);
}

MeasuredError ErrorSearch::measure(const MethodOrder& kind, double seconds) {
  const comm::Stopwatch stopwatch;
  const double budget = std::clamp(seconds, least_seconds, most_seconds);
  const auto may_go_on = [&] { return world_.max(stopwatch.seconds()) < budget; };
  const auto run = [&](int steps) {
    return agreed([&] { return pilot_.run(kind.method, steps); });
  };
  int steps = Pilot::samples;
  auto coarser = run(steps);
  while (!coarser && steps < most_pilot_steps && may_go_on()) {
    steps *= 2;
    coarser = run(steps);
  }
  const double order = kind.order;
  MeasuredError result{.order = order};
  for (int errors = 0; coarser && (errors < fewest_errors || may_go_on()); ++errors) {
    auto finer = run(2 * steps);
    if (!finer) break;
    const double before = result.error;
    result.steps = steps;
    result.error = error_between(kind, *coarser, *finer);
    if (!std::isfinite(result.error)) return {.order = order};
    if (before > 0 && result.error > 0)
      result.order = std::clamp(std::log2(before / result.error), least_share * order, order);
    if (result.error <= tolerance_ || steps >= most_pilot_steps) break;
    steps *= 2;
    coarser = std::move(finer);
  }
  return result;
}

MeasuredTolerance ErrorSearch::measure_tolerance(const MethodOrder& kind, double seconds) {
  const comm::Stopwatch stopwatch;
  const double budget = std::clamp(seconds, least_seconds, most_seconds);
  constexpr double unknown = std::numeric_limits<double>::infinity();
  MeasuredTolerance best;
  double tolerance = two_digits(tolerance_), too_large = unknown;
  do {
    auto run =
        agreed([&] { return pilot_.run_within(kind.method, tolerance, most_adaptive_trials); });
    if (!run) break;  // smaller ones take more steps
    const auto halved = agreed([&] { return pilot_.run_halved(kind.method, run->lengths); });
    const double error = halved ? error_between(kind, *run, *halved) : unknown;
    const double factor = std::pow(aim * tolerance_ / error, error_power);
    if (error <= tolerance_) {
      if (run->lengths == best.run.lengths) break;  // their growth limits them
      best = {tolerance, error, std::move(*run)};
      if (error >= close_enough * tolerance_) break;
    } else {
      too_large = tolerance;
    }
    double next = tolerance * std::clamp(factor, 1 / most_factor, most_factor);
    if (next >= too_large || next <= best.tolerance) next = std::sqrt(best.tolerance * too_large);
    tolerance = two_digits(world_.min(next));
  } while (best.tolerance < tolerance && tolerance < too_large &&
           best.tolerance * worth_a_run < too_large && world_.max(stopwatch.seconds()) < budget);
  return best;
}

/// Collective. Nothing on all ranks if nothing on one.
template <class Run>
std::optional<PilotRun> ErrorSearch::agreed(Run&& run) const {
  auto result = run();
  if (world_.any(!result)) return std::nullopt;
  return result;
}

/// Collective. The error of a run, from one in which each of its steps is halved [K].
double ErrorSearch::error_between(const MethodOrder& kind, const PilotRun& run,
                                  const PilotRun& halved) const {
  const double two_p = kind.order == 1 ? 2 : 4;
  return world_.max(distance(run.temperatures, halved.temperatures)) * two_p / (two_p - 1);
}

}  // namespace halotherm::app
