// SPDX-License-Identifier: MIT
#include "solver/clock.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::solver {

namespace {
/// Rounding in sums of steps must neither add a last step of no length nor miss a multiple that is reached.
constexpr double tolerance = 1e-9;
}  // namespace

bool Clock::finished() const {
  return end_.steps ? step_ >= *end_.steps : time_ >= *end_.time;
}

bool Clock::next_is_last() const {
  return end_.time && *end_.time - time_ <= full_dt_ * (1 + tolerance);
}

double Clock::dt() const {
  return next_is_last() ? *end_.time - time_ : full_dt_;
}

void Clock::advance() {
  previous_ = time_;
  time_ = next_is_last() ? *end_.time : time_ + full_dt_;
  ++step_;
}

double Clock::progress() const {
  const double done =
      end_.steps ? static_cast<double>(step_) / static_cast<double>(std::max<std::int64_t>(1, *end_.steps)) : time_ / *end_.time;
  return std::min(1.0, done);
}

std::int64_t Clock::steps_to_go() const {
  if (end_.steps) return std::max<std::int64_t>(0, *end_.steps - step_);
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil((*end_.time - time_) / full_dt_ - tolerance)));
}

bool Schedule::due(const Clock& clock) const {
  if (steps) return clock.step() % *steps == 0;
  if (!every) return false;
  const auto multiples = [&](double time) { return std::floor(time / *every + tolerance); };
  return multiples(clock.time()) > multiples(clock.previous_time());
}

}  // namespace halotherm::solver
