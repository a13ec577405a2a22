// SPDX-License-Identifier: MIT
// Materials whose properties depend on the temperature, and the cells that they fill.
#pragma once

#include "solver/field/arithmetic.hpp"
#include "solver/field/field.hpp"
#include "solver/material/contacts.hpp"
#include "solver/material/property_table.hpp"

#include <optional>

namespace halotherm::solver {

/// The largest number of materials with tables.
inline constexpr std::size_t most_materials = 256;

/// Between which values a factor lies at every time.
struct FactorRange {
  double least = 1, largest = 1;
};

/// The properties of one material.
struct MaterialTables {
  std::vector<PropertyTable> conductivity;  ///< K [W/(m K)], > 0; one, or one an axis
  PropertyTable volumetric_heat_capacity;   ///< rho c [J/(m³ K)], > 0, with latent heat
  FactorRange conductivity_factor{};        ///< of K over time, > 0
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

/// A line of K that a thread expects to need again, since neighbouring cells have similar
/// temperatures.
template <class Real>
struct RecentLine {
  PropertyLine<Real> line;
  int material = -1;
};

/// The materials of the cells in kernels.
template <class Real>
struct MaterialsView {
  const MaterialView<Real>* materials = nullptr;
  int count = 0;
  bool isotropic = true;                       ///< each K is the same along all axes
  comm::GridView<const std::uint8_t> of_cell;  ///< empty if all cells have the first
  PropertyBins<Real> bins;                     ///< each material's K, one or one an axis, and rho c
  /// 1/(rho c) of each material, if no rho c depends on the temperature
  const Real* inverse_capacity = nullptr;
  /// of contacts [m² K/W], of each pair of materials; null where there are none
  const Real* resistances = nullptr;

  /// Between two materials [m² K/W].
  KOKKOS_FORCEINLINE_FUNCTION Real resistance(int one, int other) const {
    return resistances == nullptr ? Real(0) : resistances[one * count + other];
  }
  /// Whether cells may have different materials.
  KOKKOS_FORCEINLINE_FUNCTION bool has_several() const { return of_cell.data != nullptr; }
  /// The number of the material of a cell of the block grown by its ghost cells; any of them for
  /// the padding of rows.
  KOKKOS_FORCEINLINE_FUNCTION int number(int i, int j, int k) const {
    if (of_cell.data == nullptr) return 0;
    const int n = of_cell(i, j, k);
    return n < count ? n : 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION const MaterialView<Real>& at(int i, int j, int k) const {
    return materials[number(i, j, k)];
  }

  /// A line of a material's K along an axis near T [K], which need not hold it.
  KOKKOS_FORCEINLINE_FUNCTION PropertyLine<Real> line_near(int material, int axis, Real T) const {
    return bins.near(isotropic ? 2 * material : 4 * material + axis, T);
  }
  /// The one that holds T.
  KOKKOS_FORCEINLINE_FUNCTION PropertyLine<Real> line_at(int material, int axis, Real T) const {
    const auto near = line_near(material, axis, T);
    return near.holds(T) ? near : materials[material].conductivity[axis].line_at(T);
  }
  /// K of a material along an axis at T [K].
  HALOTHERM_CALLED_ON_CPUS Real conductivity(int material, int axis, Real T,
                                             RecentLine<Real>& recent) const {
    if (material != recent.material || !recent.line.holds(T))
      recent = {line_at(material, axis, T), material};
    return recent.line(T);
  }

  /// The temperature of a cell of a material after it has taken up `content` [J/m³] at T [K].
  HALOTHERM_CALLED_ON_CPUS Real heated(int material, Real T, Real content) const {
    if (inverse_capacity != nullptr) return multiply_add(content, inverse_capacity[material], T);
    // within a segment: the root of value d + slope d²/2 = content as a series in
    // slope·content/value², which where it is small is exact to rounding, and without division
    const auto line = bins.near(isotropic ? 2 * material + 1 : 4 * material + 3, T);
    const Real inverse = reciprocal(line(T));
    const Real first = content * inverse;
    const Real e = first * line.slope * inverse;
    Real series = Real(33. / 16);
    series = multiply_add(series, e, Real(-21. / 16));
    series = multiply_add(series, e, Real(7. / 8));
    series = multiply_add(series, e, Real(-5. / 8));
    series = multiply_add(series, e, Real(1. / 2));
    series = multiply_add(series, e, Real(-1. / 2));
    series = multiply_add(series, e, Real(1));
    const Real to = multiply_add(first, series, T);
    if (line.holds(T) && line.holds(to) && Kokkos::abs(e) <= Real(1. / 256)) return to;
    return materials[material].heat_capacity.advanced(T, content);
  }
};

/// Owns the tables and the material of each cell in device memory. Instantiated for float and
/// double.
template <class Real>
class Materials {
 public:
  /// At most `most_materials` tables; `of_cell`: the position in them for each cell of the grown
  /// block, x fastest, or nothing where all cells have the first; `contacts`: between positions.
  /// Blocking.
  Materials(const std::vector<MaterialTables>& tables, std::span<const std::uint8_t> of_cell,
            const std::vector<Contacts::Pair>& contacts, const comm::Box& owned,
            const comm::Int3& ghosts);

  /// Valid as long as this object.
  const MaterialsView<Real>& view() const { return view_; }

  /// Makes K of a material that of its tables times a factor, which is in the material's range, for
  /// kernels that follow. Asynchronous on `space`; no kernel on other streams may be reading K.
  void scale_conductivity(const comm::Space& space, int material, double factor);

 private:
  PropertyTables<Real> tables_;
  std::vector<double> factors_;  ///< of K of each material, at present
  Kokkos::View<MaterialView<Real>*, comm::Memory> materials_;
  Kokkos::View<Real*, comm::Memory> inverse_capacity_, resistances_;
  std::optional<Field<std::uint8_t>> of_cell_;
  MaterialsView<Real> view_;
};

}  // namespace halotherm::solver
