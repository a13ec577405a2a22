// SPDX-License-Identifier: MIT
// The range that temperatures cannot leave, by the maximum principle.
#pragma once

#include "solver/equation/heat_flows.hpp"

namespace halotherm::solver {

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

  KOKKOS_INLINE_FUNCTION void include(double temperature) {
    lowest_ = Kokkos::min(lowest_, temperature);
    highest_ = Kokkos::max(highest_, temperature);
  }
  KOKKOS_INLINE_FUNCTION void include(const TemperatureBounds& other) {
    lowest_ = Kokkos::min(lowest_, other.lowest_);
    highest_ = Kokkos::max(highest_, other.highest_);
  }
  /// Heat from `least` to `most` into the body, of any unit.
  KOKKOS_INLINE_FUNCTION void include_heat(double least, double most) {
    constexpr double infinity = Kokkos::Experimental::infinity_v<double>;
    if (least < 0) include(-infinity);
    if (most > 0) include(infinity);
  }
  /// The heat flows of a surface. Those that depend on its temperature vanish at one: coefficient
  /// (ambient − T) + flux at ambient + flux/coefficient.
  KOKKOS_INLINE_FUNCTION void include_flows(const HeatFlows& flows) {
    if (flows.coefficient > 0) {
      include(flows.ambient + flows.flux / flows.coefficient);
    } else {
      include_heat(flows.flux, flows.flux);
    }
    if (flows.emissivity > 0) include(flows.surroundings);
  }

 private:
  double lowest_ = Kokkos::Experimental::infinity_v<double>;
  double highest_ = -Kokkos::Experimental::infinity_v<double>;
};

}  // namespace halotherm::solver
