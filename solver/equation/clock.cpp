// SPDX-License-Identifier: MIT
#include "solver/equation/clock.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace halotherm::solver {

namespace {
constexpr double tolerance = 1e-9;  ///< of a step
}  // namespace

bool Clock::finished() const {
  return end_.steps ? step_ >= *end_.steps : time_ >= *end_.time;
}

/// What rounding may have made of the time, a sum of steps: it must neither add a last step of no
/// length nor miss a multiple that is reached.
double Clock::margin() const {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const double sum = 0.5 * eps * static_cast<double>(step_) * time_;
  return tolerance * full_dt_ + std::min(sum, 1e-3 * full_dt_);
}

/// The first multiple of `every` that is later by more than rounding.
double Clock::multiple_after(double time) const {
  return (std::floor((time + margin()) / *every_) + 1) * *every_;
}

bool Clock::landed() const {
  if (!every_) return false;
  const double nearest = std::round(time_ / *every_) * *every_;
  return nearest > 0 && std::abs(time_ - nearest) <= margin();
}

auto Clock::next() const -> Step {
  const double margin = this->margin();
  double target = end_.time.value_or(std::numeric_limits<double>::infinity());
  bool halved = false;  // rather than that the last step is a tiny one
  if (every_) {
    const double multiple = multiple_after(time_);
    if (multiple < target - margin) target = multiple;
    halved = std::abs(target - multiple) <= margin && target - time_ < 2 * (full_dt_ - margin);
  }
  const double left = target - time_;
  if (left <= full_dt_ + margin) return {left, target};
  const double length = halved ? left / 2 : full_dt_;
  return {length, time_ + length};
}

void Clock::advance() {
  previous_ = std::exchange(time_, next().end);
  ++step_;
}

double Clock::progress() const {
  const double done = end_.steps ? static_cast<double>(step_) /
                                       static_cast<double>(std::max<std::int64_t>(1, *end_.steps))
                                 : time_ / *end_.time;
  return std::min(1.0, done);
}

/// Steps that a span of time takes.
std::int64_t Clock::steps_within(double span) const {
  return std::max<std::int64_t>(0,
                                static_cast<std::int64_t>(std::ceil(span / full_dt_ - tolerance)));
}

std::int64_t Clock::steps_to_go() const {
  if (end_.steps) return std::max<std::int64_t>(0, *end_.steps - step_);
  const double first = every_ ? multiple_after(time_) : *end_.time;
  if (first >= *end_.time) return steps_within(*end_.time - time_);
  const double whole = std::floor((*end_.time - first) / *every_ + tolerance);
  return steps_within(first - time_) + static_cast<std::int64_t>(whole) * steps_within(*every_) +
         steps_within(*end_.time - first - whole * *every_);
}

bool Schedule::due(const Clock& clock) const {
  if (steps) return clock.step() % *steps == 0;
  if (!every) return false;
  const auto multiples = [&](double time) { return std::floor(time / *every + tolerance); };
  return multiples(clock.time()) > multiples(clock.previous_time());
}

}  // namespace halotherm::solver
