// SPDX-License-Identifier: MIT
#include "solver/material/property_limits.hpp"

#include "solver/field/dense.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::solver {

std::pair<double, double> extremes_within(const PropertyTable& table,
                                          const TemperatureRange& range) {
  const double at_lower = value_at(table, range.lower), at_upper = value_at(table, range.upper);
  auto [least, most] = std::minmax({at_lower, at_upper});
  std::pair<double, double> extremes(least, most);
  for (const auto& [temperature, value] : table) {
    if (temperature < range.lower || temperature > range.upper) continue;
    extremes.first = std::min(extremes.first, value);
    extremes.second = std::max(extremes.second, value);
  }
  return extremes;
}

template <class Real>
PropertyLimits<Real>::PropertyLimits(std::vector<MaterialTables> tables,
                                     const MaterialsView<Real>& all)
    : tables_(std::move(tables)),
      view_(all),
      materials_(Kokkos::view_alloc("limited materials", Kokkos::WithoutInitializing),
                 tables_.size()),
      on_host_(tables_.size()) {
  const comm::Space space;
  Kokkos::deep_copy(space, HostSpan<MaterialView<Real>>(on_host_.data(), on_host_.size()),
                    DeviceSpan<const MaterialView<Real>>(all.materials, tables_.size()));
  space.fence("limited materials");
  view_.materials = materials_.data();
}

template <class Real>
MaterialsView<Real> PropertyLimits<Real>::within(const TemperatureRange& conductivity,
                                                 const TemperatureRange& heat_capacity) {
  const auto limit = [](PropertyView<Real>& view, const PropertyTable& table,
                        const TemperatureRange& range, const FactorRange& factor) {
    const auto [least, most] = extremes_within(table, range);
    view.smallest = static_cast<Real>(factor.least * least);
    view.largest = static_cast<Real>(factor.largest * most);
  };
  for (std::size_t n = 0; n < tables_.size(); ++n) {
    const auto& of_axes = tables_[n].conductivity;
    for (std::size_t axis = 0; axis < 3; ++axis)
      limit(on_host_[n].conductivity[axis], of_axes[std::min(axis, of_axes.size() - 1)],
            conductivity, tables_[n].conductivity_factor);
    limit(on_host_[n].heat_capacity, tables_[n].volumetric_heat_capacity, heat_capacity, {});
  }
  const comm::Space space;
  Kokkos::deep_copy(space, materials_,
                    HostSpan<const MaterialView<Real>>(on_host_.data(), on_host_.size()));
  space.fence("limited materials");
  return view_;
}

template class PropertyLimits<float>;
template class PropertyLimits<double>;

}  // namespace halotherm::solver
