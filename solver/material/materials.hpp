// SPDX-License-Identifier: MIT
// Materials whose properties depend on the temperature, and the cells that they fill.
#pragma once

#include "solver/field/arithmetic.hpp"
#include "solver/field/field.hpp"
#include "solver/material/property_table.hpp"

#include <optional>

namespace halotherm::solver {

/// The properties of one material.
struct MaterialTables {
  std::vector<PropertyTable> conductivity;  ///< K [W/(m K)], > 0; one, or one an axis
  PropertyTable volumetric_heat_capacity;   ///< rho c [J/(m³ K)], > 0, with latent heat
};

/// rho c of a substance with the heat of melting [J/m³] spread evenly over the melting range
/// [solidus, liquidus] in K, solidus < liquidus.
PropertyTable with_latent_heat(const PropertyTable& volumetric_heat_capacity,
                               double latent_heat_per_volume, double solidus, double liquidus);

/// A material in kernels.
template <class Real>
struct MaterialView {
  PropertyView<Real> conductivity[3];
  PropertyView<Real> heat_capacity;
};

/// The materials of the cells in kernels.
template <class Real>
struct MaterialsView {
  MaterialView<Real> first;                       ///< of all cells if `of_cell` is empty
  const MaterialView<Real>* materials = nullptr;  ///< all of them
  int count = 0;
  comm::GridView<const std::uint8_t> of_cell;

  /// The material of a cell of the block grown by its ghost cells; any of them for the padding of
  /// rows.
  KOKKOS_FORCEINLINE_FUNCTION const MaterialView<Real>& at(int i, int j, int k) const {
    if (of_cell.data == nullptr) return first;
    const int n = of_cell(i, j, k);
    return materials[n < count ? n : 0];
  }
};

/// Owns the tables and the material of each cell in device memory. Instantiated for float and
/// double.
template <class Real>
class Materials {
 public:
  /// At most 256 `tables`; `of_cell`: the position in them for each cell of the grown block, x
  /// fastest, or nothing where all cells have the first. Blocking.
  Materials(const std::vector<MaterialTables>& tables, std::span<const std::uint8_t> of_cell,
            const comm::Box& owned, const comm::Int3& ghosts);

  /// Valid as long as this object.
  const MaterialsView<Real>& view() const { return view_; }
  /// Whether K is the same along all axes in each material.
  bool isotropic() const { return isotropic_; }

 private:
  PropertyTables<Real> tables_;
  Kokkos::View<MaterialView<Real>*, comm::Memory> materials_;
  std::optional<Field<std::uint8_t>> of_cell_;
  MaterialsView<Real> view_;
  bool isotropic_;
};

}  // namespace halotherm::solver
