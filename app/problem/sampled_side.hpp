// SPDX-License-Identifier: MIT
// What a configuration gives at one side or patch, evaluated at points of the side at any time.
#pragma once

#include "app/problem/sampled_quantity.hpp"
#include "solver/equation/boundary.hpp"

#include <functional>
#include <string>
#include <vector>

namespace halotherm::app {

/// Not for periodic sides.
class SampledSide {
 public:
  /// Samples one quantity of the side, called `key` in messages.
  using Sample =
      std::function<SampledQuantity(const std::string& key, const Quantity& quantity, Range range)>;

  /// `key`: of the side, such as "sides.x-". Throws what `sample` throws.
  SampledSide(const std::string& key, const SurfaceConfig& side, const Sample& sample);

  /// Whether the side has a fixed temperature, and so no heat flows.
  bool is_fixed() const { return fixed_; }
  /// Whether radiation is among the heat flows.
  bool radiates() const { return radiates_; }
  /// Whether no heat flows at any time.
  bool is_insulated() const { return insulated_; }
  /// Whether anything changes with time.
  bool changes() const;
  /// Whether the weight of the temperature inside changes, with time or with that temperature.
  bool weight_changes() const;

  /// The temperature; or flux, coefficient and ambient of convection, and, if it radiates,
  /// emissivity and temperature of the surroundings.
  const std::vector<SampledQuantity>& quantities() const { return quantities_; }
  std::vector<SampledQuantity>& quantities() { return quantities_; }

  /// Evaluates everything at time t [s]. Throws Error (usage), which names the first place where a
  /// value is not allowed.
  void evaluate(const Moment& moment);
  /// The number of values of the last evaluation: 1 if one holds at all points.
  std::size_t count() const;
  /// The values of the last evaluation at a point: the fixed temperature, or the heat flows.
  double temperature(std::size_t point) const;
  solver::HeatFlows flows(std::size_t point) const;

 private:
  bool fixed_;
  bool insulated_;
  bool radiates_;
  std::vector<SampledQuantity> quantities_;
};

}  // namespace halotherm::app
