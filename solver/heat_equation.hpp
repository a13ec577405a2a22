// SPDX-License-Identifier: MIT
// rho c dT/dt = div(K grad T) + q: its coefficients on a block, and how long a step may be.
#pragma once

#include "solver/field.hpp"
#include "solver/grid.hpp"

#include <array>
#include <optional>
#include <variant>
#include <vector>

namespace halotherm::solver {

/// One number everywhere, or one per cell of the block grown by one ghost cell along the grid's axes, x fastest. Values in ghost
/// cells beyond the domain should be those of the nearest cell inside, beyond a periodic side those of the other end.
using Coefficient = std::variant<double, std::vector<double>>;

/// Coefficients in SI units as they come from a configuration.
struct Material {
  std::vector<Coefficient> conductivity;       ///< K [W/(m K)], > 0; one, or one an axis
  Coefficient volumetric_heat_capacity = 1.0;  ///< rho c [J/(m³ K)], > 0
  Coefficient source = 0.0;                    ///< q [W/m³]
};

/// A number or a cell's number, in kernels.
template <class Real>
struct CellValue {
  comm::GridView<const Real> field;
  Real value = 0;
  bool varies = false;
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k) const { return varies ? field(i, j, k) : value; }
};

/// K/h² of the faces where K is the same everywhere along an axis [W/(m³ K)].
template <class Real>
struct UniformConductance {
  Real per_axis[3];
  KOKKOS_FORCEINLINE_FUNCTION Real face(int axis, int, int, int) const { return per_axis[axis]; }
};

/// K/h² of the faces where K varies: the harmonic mean of the two cells, which makes the flux through layers of different materials
/// exact in one dimension (Patankar 1980, Numerical Heat Transfer and Fluid Flow, eq. 4.9).
template <class Real>
struct VaryingConductance {
  comm::GridView<const Real> conductivity[3];  ///< [W/(m K)]; the same view thrice where K is isotropic
  Real inverse_h2[3];                          ///< [1/m²]

  /// Of the face between the cell and its lower neighbour along the axis.
  KOKKOS_FORCEINLINE_FUNCTION Real face(int axis, int i, int j, int k) const {
    const auto& c = conductivity[axis];
    const Real here = c(i, j, k);
    const Real below = c(i - (axis == 0), j - (axis == 1), k - (axis == 2));
    return (Real(2) * (below * here) / (below + here)) * inverse_h2[axis];
  }
};

template <class Real>
using Conductance = std::variant<UniformConductance<Real>, VaryingConductance<Real>>;

/// The equation's coefficients on one block, on the device. Instantiated for float and double.
template <class Real>
class HeatEquation {
 public:
  HeatEquation(const Grid& grid, const comm::Box& owned, const Material& material);

  int dimensions() const { return dimensions_; }
  const Conductance<Real>& conductance() const { return conductance_; }
  /// 1/(rho c) [m³ K/J]
  const CellValue<Real>& inverse_capacity() const { return inverse_capacity_; }
  /// q [W/m³]
  const CellValue<Real>& source() const { return source_; }

  /// Replaces the source by another of the same kind (number or field), as a time-dependent one needs.
  void set_source(const Coefficient& source);

  /// The largest stable step of forward Euler on this block [s]: min over cells of rho c / sum over faces of K/h², which by
  /// Gershgorin's theorem (1931) keeps every eigenvalue of the step within [-1, 1]; with constant K in d dimensions it is rho c /
  /// (2 K sum 1/h²). The block's bound: the smallest over the ranks holds.
  double stable_dt(const comm::Box& owned) const;

  /// Memory traffic that a step cannot avoid: the temperature read and written, and every coefficient that varies read [bytes].
  int bytes_per_cell() const;
  /// Arithmetic of a step.
  int flops_per_cell() const;

 private:
  CellValue<Real> cell_value(const char* label, const Coefficient& coefficient, std::optional<Field<Real>>& storage);
  void set_conductance(const std::vector<Coefficient>& conductivity, const Grid& grid);

  int dimensions_;
  comm::Box owned_;
  comm::Int3 ghosts_;
  std::array<std::optional<Field<Real>>, 3> conductivity_;
  std::optional<Field<Real>> inverse_capacity_field_;
  std::optional<Field<Real>> source_field_;
  int conductivity_fields_ = 0;
  Conductance<Real> conductance_;
  CellValue<Real> inverse_capacity_;
  CellValue<Real> source_;
};

}  // namespace halotherm::solver
