// SPDX-License-Identifier: MIT
// Do the temperatures of a run stay within what its initial field, sides and sources allow?
#pragma once

#include "app/output/diagnostics.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::app {

/// A temperature below everything that could cool, or above everything that could heat.
struct OutOfBounds {
  bool above;
  double temperature;  ///< [K]
  double bound;        ///< [K]
  std::int64_t step;
  double time;  ///< [s]

  /// How far it is outside [K].
  double excess() const { return above ? temperature - bound : bound - temperature; }
  /// "272.5 K at step 12, t = 0.3 s, 0.5 K below 273 K"; the temperatures in this unit
  std::string text(io::TemperatureUnit unit) const;
};

/// Checks the extremes that diagnostics have anyway, against the bounds of the time so far.
class BoundsCheck {
 public:
  /// `epsilon`: of the fields' precision; `stages`: of a step.
  BoundsCheck(double epsilon, int stages)
      : rounding_(rounding_of_stage * epsilon * stages * stages) {}

  /// The first state of the run, which may have any temperatures.
  void begin(const Diagnostics& first);
  /// The first one below and the first one above in the run; else nothing.
  std::vector<OutOfBounds> check(const Diagnostics& now);
  /// All that were found.
  const std::vector<OutOfBounds>& found() const { return found_; }

 private:
  /// In units of epsilon times the largest temperature (docs/numerics.md).
  static constexpr double rounding_of_stage = 16;

  void note_largest(const Diagnostics& now);
  bool was_found(bool above) const;

  double rounding_;     ///< of a step, relative to the largest temperature
  double largest_ = 0;  ///< |T| so far [K]
  std::int64_t first_step_ = 0;
  solver::TemperatureBounds initial_;
  std::vector<OutOfBounds> found_;
};

}  // namespace halotherm::app
