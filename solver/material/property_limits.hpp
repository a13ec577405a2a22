// SPDX-License-Identifier: MIT
// The least and the largest values that properties take within a range of temperatures.
#pragma once

#include "solver/material/materials.hpp"

#include <utility>

namespace halotherm::solver {

/// From `lower` to `upper` [K]; either may be infinite.
struct TemperatureRange {
  double lower = 0;
  double upper = 0;
};

/// The least and the largest value of a table within a range.
std::pair<double, double> extremes_within(const PropertyTable& table,
                                          const TemperatureRange& range);

/// Materials whose `smallest` and `largest` values are those within ranges of temperatures, for the
/// bounds of steps; their tables are the same. Instantiated for float and double.
template <class Real>
class PropertyLimits {
 public:
  /// `tables`: those that `all` was made from, whose owner must outlive this object.
  PropertyLimits(std::vector<MaterialTables> tables, const MaterialsView<Real>& all);

  /// The materials with K within one range and rho c within another. Blocking; valid until the next
  /// call.
  MaterialsView<Real> within(const TemperatureRange& conductivity,
                             const TemperatureRange& heat_capacity);

 private:
  std::vector<MaterialTables> tables_;
  MaterialsView<Real> view_;
  Kokkos::View<MaterialView<Real>*, comm::Memory> materials_;
  std::vector<MaterialView<Real>> on_host_;
};

}  // namespace halotherm::solver
