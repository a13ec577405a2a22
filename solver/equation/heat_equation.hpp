// SPDX-License-Identifier: MIT
// rho c dT/dt = div(K grad T) + q: its coefficients on a block, and how long a step may be.
#pragma once

#include "solver/equation/stencil.hpp"
#include "solver/field/field.hpp"
#include "solver/field/grid.hpp"

#include <array>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace halotherm::solver {

/// One number everywhere, or one per cell of the block grown by the ghost cells of the equation,
/// x fastest. Values in ghost cells beyond the domain should be those of the nearest cell
/// inside, beyond a periodic side those of the other end.
using Coefficient = std::variant<double, std::vector<double>>;

/// Coefficients in SI units as they come from a configuration.
struct Material {
  std::vector<Coefficient> conductivity;       ///< K [W/(m K)], > 0; one, or one an axis
  Coefficient volumetric_heat_capacity = 1.0;  ///< rho c [J/(m³ K)], > 0
  Coefficient source = 0.0;                    ///< q [W/m³]
};

/// A coefficient in kernels: one number, or one per cell.
template <class Real>
struct CellValue {
  comm::GridView<const Real> field;
  Real value = 0;
  bool varies = false;
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k) const {
    return varies ? field(i, j, k) : value;
  }
  /// The values of the cells from (i, j, k) on, which GPUs load as a pack.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(int i, int j, int k) const {
    if (!varies) return broadcast<Value>(value);
    if constexpr (comm::kernels_run_on_host) return load_unaligned<Value>(&field(i, j, k));
    return load<Value>(&field(i, j, k));
  }
};

/// Faces where K is the same everywhere along an axis.
template <class Real>
struct UniformMedium {
  UniformFaces<Real> faces;

  /// The faces of the cells from (i, j, k) on; `T` are their temperatures and those around them.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION UniformFaces<Real> faces_of(const Star<Dim, Value>&, int, int,
                                                          int) const {
    return faces;
  }
};

/// Faces where K varies, formed from the cells' resistivities 1/K.
template <class Real>
struct VaryingMedium {
  /// [m K/W]; the same view thrice where K is isotropic
  comm::GridView<const Real> resistivity[3];
  Real two_over_h2[3];  ///< [1/m²]

  /// The faces of the cells from (i, j, k) on.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> faces_of(const Star<Dim, Value>&, int i,
                                                                int j, int k) const {
    VaryingFaces<Dim, Value> faces;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      const auto& r = resistivity[axis];
      const int d[3] = {axis == 0, axis == 1, axis == 2};
      const auto here = load_unaligned<Value>(&r(i, j, k));
      faces.lower[axis] = face_conductance(load_unaligned<Value>(&r(i - d[0], j - d[1], k - d[2])),
                                           here, two_over_h2[axis]);
      faces.upper[axis] = face_conductance(
          here, load_unaligned<Value>(&r(i + d[0], j + d[1], k + d[2])), two_over_h2[axis]);
    }
    return faces;
  }
};

template <class Real>
using Medium = std::variant<UniformMedium<Real>, VaryingMedium<Real>>;

/// The equation's coefficients on one block, on the device. Instantiated for float and double.
template <class Real>
class HeatEquation {
 public:
  /// With `ghost_layers` of coefficients around the block, on the axes that the grid has: one is
  /// enough for operators on the block itself, more let them work on its ghost cells.
  HeatEquation(const Grid& grid, const comm::Box& owned, const Material& material,
               int ghost_layers = 1);

  int dimensions() const { return dimensions_; }
  const Medium<Real>& medium() const { return medium_; }
  /// Whether K varies from cell to cell but is the same along all axes.
  bool isotropic() const { return conductivity_fields_ == 1; }
  /// 1/(rho c) [m³ K/J]
  const CellValue<Real>& inverse_capacity() const { return inverse_capacity_; }
  /// q [W/m³]
  const CellValue<Real>& source() const { return source_; }

  /// Replaces a time-dependent source by its values at another time: one value [W/m³] everywhere,
  /// which costs nothing, or one per cell of the grown block. Blocking; no kernel that reads the
  /// source may be in flight.
  void set_source(std::span<const double> values);

  /// The largest stable step of forward Euler on this block [s]: min over cells of rho c / sum over
  /// faces of K/h², which by Gershgorin's theorem (1931) keeps every eigenvalue of the step within
  /// [-1, 1]; with constant K in d dimensions it is rho c / (2 K sum 1/h²). A run takes the
  /// smallest over the ranks.
  double stable_dt(const comm::Box& owned) const;

  /// max rho c [J/(m³ K)] on the block.
  double largest_capacity(const comm::Box& owned) const;

  /// Memory traffic that a step cannot avoid: the temperature read and written, and every
  /// coefficient that varies read [bytes].
  int bytes_per_cell() const;
  /// Floating-point operations of a step.
  int flops_per_cell() const;

 private:
  CellValue<Real> cell_value(const char* label, const Coefficient& coefficient,
                             std::optional<Field<Real>>& storage);
  void set_medium(const std::vector<Coefficient>& conductivity, const Grid& grid);

  int dimensions_;
  comm::Box owned_;
  comm::Int3 ghosts_;
  std::array<std::optional<Field<Real>>, 3> resistivity_;
  std::optional<Field<Real>> inverse_capacity_field_;
  std::optional<Field<Real>> source_field_;
  std::vector<Real> source_values_;                  ///< rounded, on the host
  Kokkos::View<Real*, comm::Memory> source_buffer_;  ///< staging memory for the copy to the device
  int conductivity_fields_ = 0;
  Medium<Real> medium_;
  CellValue<Real> inverse_capacity_;
  CellValue<Real> source_;
};

}  // namespace halotherm::solver
