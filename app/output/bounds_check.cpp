// SPDX-License-Identifier: MIT
#include "app/output/bounds_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace halotherm::app {

std::string OutOfBounds::text(io::TemperatureUnit unit) const {
  return fmt::format("{:.9g} {} at step {}, t = {:.6g} s, {:.3g} K {} {:.9g} {}",
                     io::from_kelvin(temperature, unit), io::symbol(unit), step, time, excess(),
                     above ? "above" : "below", io::from_kelvin(bound, unit), io::symbol(unit));
}

void BoundsCheck::begin(const Diagnostics& first) {
  first_step_ = first.step;
  initial_ = {first.lowest, first.highest};
  note_largest(first);
}

std::vector<OutOfBounds> BoundsCheck::check(const Diagnostics& now) {
  note_largest(now);
  auto allowed = initial_;
  allowed.include(now.allowed);
  const double rounding = rounding_ * largest_ * static_cast<double>(now.step - first_step_);
  std::vector<OutOfBounds> news;
  const auto compare = [&](bool above, double temperature, double bound) {
    const OutOfBounds found{above, temperature, bound, now.step, now.time};
    if (found.excess() > rounding && !was_found(above)) news.push_back(found);
  };
  compare(false, now.lowest, allowed.lowest());
  compare(true, now.highest, allowed.highest());
  found_.insert(found_.end(), news.begin(), news.end());
  return news;
}

void BoundsCheck::note_largest(const Diagnostics& now) {
  for (const double temperature :
       {now.lowest, now.highest, now.allowed.lowest(), now.allowed.highest()}) {
    if (std::isfinite(temperature)) largest_ = std::max(largest_, std::abs(temperature));
  }
}

bool BoundsCheck::was_found(bool above) const {
  return std::ranges::any_of(found_, [&](const auto& found) { return found.above == above; });
}

}  // namespace halotherm::app
