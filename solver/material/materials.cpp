// SPDX-License-Identifier: MIT
#include "solver/material/materials.hpp"

#include "solver/field/dense.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace halotherm::solver {

namespace {

std::vector<PropertyTable> all_tables(const std::vector<MaterialTables>& materials) {
  std::vector<PropertyTable> tables;
  for (const auto& material : materials) {
    tables.insert(tables.end(), material.conductivity.begin(), material.conductivity.end());
    tables.push_back(material.volumetric_heat_capacity);
  }
  return tables;
}

}  // namespace

PropertyTable with_latent_heat(const PropertyTable& volumetric_heat_capacity,
                               double latent_heat_per_volume, double solidus, double liquidus) {
  const double height = latent_heat_per_volume / (liquidus - solidus);
  return sum(volumetric_heat_capacity,
             {{solidus, 0}, {solidus, height}, {liquidus, height}, {liquidus, 0}});
}

template <class Real>
Materials<Real>::Materials(const std::vector<MaterialTables>& tables,
                           std::span<const std::uint8_t> of_cell, const comm::Box& owned,
                           const comm::Int3& ghosts)
    : tables_(all_tables(tables)), isotropic_(true) {
  assert(!tables.empty() && tables.size() <= 256);
  std::vector<MaterialView<Real>> views;
  std::size_t next = 0;
  for (const auto& [conductivity, heat_capacity] : tables) {
    MaterialView<Real> view;
    const bool one = conductivity.size() == 1;
    isotropic_ = isotropic_ && one;
    for (std::size_t axis = 0; axis < 3; ++axis)
      view.conductivity[axis] = tables_[next + (one ? 0 : std::min(axis, conductivity.size() - 1))];
    next += conductivity.size();
    view.heat_capacity = tables_[next++];
    views.push_back(view);
  }
  materials_ = decltype(materials_)(Kokkos::view_alloc("materials", Kokkos::WithoutInitializing),
                                    views.size());
  Kokkos::deep_copy(materials_, HostSpan<const MaterialView<Real>>(views.data(), views.size()));
  view_ = {views.front(), materials_.data(), static_cast<int>(views.size()), {}};
  if (of_cell.empty()) return;
  of_cell_.emplace("material", owned, ghosts);
  copy_from_host<std::uint8_t>(of_cell, of_cell_->allocated(), *of_cell_);
  view_.of_cell = std::as_const(*of_cell_).view();
}

template class Materials<float>;
template class Materials<double>;

}  // namespace halotherm::solver
