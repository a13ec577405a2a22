// SPDX-License-Identifier: MIT
// The range that temperatures cannot leave, by the maximum principle.
#pragma once

#include "app/problem/region_quantities.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"

#include <algorithm>
#include <limits>

namespace halotherm::app {

/// The range of all temperatures towards which something drives the body: initial ones, those of
/// sides and surroundings. Heat that flows whatever the temperature is drives it towards an
/// infinite one, so there is no bound on that side. Without anything, it is from infinity to minus
/// infinity.
class TemperatureBounds {
 public:
  TemperatureBounds() = default;
  TemperatureBounds(double lowest, double highest) : lowest_(lowest), highest_(highest) {}

  double lowest() const { return lowest_; }    ///< [K]
  double highest() const { return highest_; }  ///< [K]

  void include(double temperature) { include({temperature, temperature}); }
  void include(const TemperatureBounds& other) {
    lowest_ = std::min(lowest_, other.lowest_);
    highest_ = std::max(highest_, other.highest_);
  }
  /// Heat from `least` to `most` into the body, of any unit.
  void include_heat(double least, double most) {
    if (least < 0) include(-infinity);
    if (most > 0) include(infinity);
  }
  /// The heat flows of a surface. Those that depend on its temperature vanish at one.
  void include_flows(const solver::HeatFlows& flows);

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  double lowest_ = infinity;
  double highest_ = -infinity;
};

/// What a source allows: `fixed`, and at every time those of `changing`, as far as intervals tell
/// (solver::bounds_of). Local.
TemperatureBounds bounds_of_sources(const Config& config, const solver::Coefficient& fixed,
                                    const OwnedQuantities& changing);

}  // namespace halotherm::app
