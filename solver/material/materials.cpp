// SPDX-License-Identifier: MIT
#include "solver/material/materials.hpp"

#include "solver/field/dense.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace halotherm::solver {

namespace {

bool are_isotropic(const std::vector<MaterialTables>& materials) {
  return std::ranges::all_of(materials, [](const auto& m) { return m.conductivity.size() == 1; });
}

/// K of each material, once or along three axes, and its rho c.
std::vector<PropertyTable> all_tables(const std::vector<MaterialTables>& materials) {
  const std::size_t axes = are_isotropic(materials) ? 1 : 3;
  std::vector<PropertyTable> tables;
  for (const auto& material : materials) {
    const auto& of_axes = material.conductivity;
    for (std::size_t axis = 0; axis < axes; ++axis)
      tables.push_back(of_axes[std::min(axis, of_axes.size() - 1)]);
    tables.push_back(material.volumetric_heat_capacity);
  }
  return tables;
}

/// 1/(rho c) of each material; empty if a rho c depends on the temperature.
template <class Real>
std::vector<Real> inverse_capacities(const std::vector<MaterialTables>& materials) {
  std::vector<Real> result;
  for (const auto& material : materials) {
    const auto& table = material.volumetric_heat_capacity;
    const double value = table.front().value;
    if (!std::ranges::all_of(table, [&](const auto& point) { return point.value == value; }))
      return {};
    result.push_back(static_cast<Real>(1.0 / value));
  }
  return result;
}

bool has_factor(const MaterialTables& material) {
  const auto [least, largest] = material.conductivity_factor;
  return least != 1 || largest != 1;
}

/// Of each pair of materials. Above the limit a face conducts nothing that could be told from 0,
/// and products with K stay finite in single precision.
template <class Real>
std::vector<Real> resistances(const std::vector<Contacts::Pair>& contacts, std::size_t count) {
  constexpr double largest = 1e12;  // [m² K/W]
  std::vector<Real> result(count * count, Real(0));
  for (const auto& [materials, resistance] : contacts) {
    const auto [one, other] = materials;
    result[one * count + other] = result[other * count + one] =
        static_cast<Real>(std::min(resistance, largest));
  }
  return result;
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
                           std::span<const std::uint8_t> of_cell,
                           const std::vector<Contacts::Pair>& contacts, const comm::Box& owned,
                           const comm::Int3& ghosts)
    : tables_(all_tables(tables)), factors_(tables.size(), 1.0) {
  assert(!tables.empty() && tables.size() <= most_materials);
  std::vector<MaterialView<Real>> views;
  const bool isotropic = are_isotropic(tables);
  const std::size_t stride = isotropic ? 2 : 4;
  for (std::size_t n = 0; n < tables.size(); ++n) {
    MaterialView<Real> view;
    const auto [least, largest] = tables[n].conductivity_factor;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      auto& K = view.conductivity[axis] = tables_[n * stride + (isotropic ? 0 : axis)];
      K.smallest *= static_cast<Real>(least);
      K.largest *= static_cast<Real>(largest);
    }
    view.heat_capacity = tables_[n * stride + stride - 1];
    views.push_back(view);
  }
  if (std::ranges::any_of(tables, has_factor)) tables_.keep_originals();
  materials_ = on_device("materials", views);
  view_.materials = materials_.data();
  view_.count = static_cast<int>(views.size());
  view_.isotropic = isotropic;
  view_.bins = tables_.bins();
  const auto inverse = inverse_capacities<Real>(tables);
  if (!inverse.empty()) {
    inverse_capacity_ = on_device("inverse heat capacities", inverse);
    view_.inverse_capacity = inverse_capacity_.data();
  }
  if (!contacts.empty()) {
    resistances_ = on_device("resistances of contacts", resistances<Real>(contacts, tables.size()));
    view_.resistances = resistances_.data();
  }
  if (of_cell.empty()) return;
  of_cell_.emplace("material", owned, ghosts);
  copy_from_host<std::uint8_t>(of_cell, of_cell_->allocated(), *of_cell_);
  view_.of_cell = std::as_const(*of_cell_).view();
}

template <class Real>
void Materials<Real>::scale_conductivity(const comm::Space& space, int material, double factor) {
  auto& present = factors_[static_cast<std::size_t>(material)];
  if (factor == present) return;
  present = factor;
  const std::size_t axes = view_.isotropic ? 1 : 3, stride = axes + 1;
  for (std::size_t axis = 0; axis < axes; ++axis)
    tables_.scale(space, static_cast<std::size_t>(material) * stride + axis, factor);
}

template class Materials<float>;
template class Materials<double>;

}  // namespace halotherm::solver
