// SPDX-License-Identifier: MIT
#include "app/run/error_search.hpp"

#include "comm/system/stopwatch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace halotherm::app {

namespace {

constexpr double least_seconds = 0.5, most_seconds = 2;
constexpr int most_pilot_steps = 1 << 17;
constexpr int fewest_errors = 2;     ///< from which an order follows
constexpr double least_share = 0.5;  ///< of the method's order

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    const double apart = std::abs(a[n] - b[n]);
    if (!(apart <= largest)) largest = apart;  // also one that is not a number
  }
  return largest;
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
  int steps = Pilot::samples;
  auto values = run(kind.method, steps);
  while (!values && steps < most_pilot_steps && may_go_on()) {
    steps *= 2;
    values = run(kind.method, steps);
  }
  const double order = kind.order;
  MeasuredError result{.order = order};
  for (int errors = 0; values && (errors < fewest_errors || may_go_on()); ++errors) {
    auto finer = run(kind.method, 2 * steps);
    if (!finer) break;
    const double two_p = kind.order == 1 ? 2 : 4;
    const double before = result.error;
    result.steps = steps;
    result.error = world_.max(distance(*values, *finer)) * two_p / (two_p - 1);
    if (!std::isfinite(result.error)) return {.order = order};
    if (before > 0 && result.error > 0)
      result.order = std::clamp(std::log2(before / result.error), least_share * order, order);
    if (result.error <= tolerance_ || steps >= most_pilot_steps) break;
    steps *= 2;
    values = std::move(finer);
  }
  return result;
}

/// Collective. Nothing on all ranks if nothing on one.
std::optional<std::vector<double>> ErrorSearch::run(solver::Method method, int steps) {
  auto values = pilot_.run(method, steps);
  if (world_.any(!values)) return std::nullopt;
  return values;
}

}  // namespace halotherm::app
