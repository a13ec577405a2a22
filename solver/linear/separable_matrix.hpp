// SPDX-License-Identifier: MIT
// The symmetric matrix of a heat problem whose conductances are products of factors along the axes.
#pragma once

#include "solver/linear/matrix.hpp"
#include "solver/linear/sweep_value.hpp"

#include <array>
#include <vector>

namespace halotherm::solver {

/// The matrix of one K an axis and one condition a side, in kernels: a cell's lower face across x
/// conducts face[0][i] · area[1][j] · area[2][k], and its anchor is mass · area[0][i] · area[1][j]
/// · area[2][k]. Beyond a side of the domain x is 0, as in MatrixView. A few numbers a row of cells
/// take the place of four a cell.
struct SeparableView {
  /// by index along each axis, of lower faces; one more than cells
  const float* face[3] = {nullptr, nullptr, nullptr};
  /// widths of cells as shares of the largest cell's, times the cells that a coarse one joins
  const float* area[3] = {nullptr, nullptr, nullptr};
  /// the same as a cell sees it, for sweeps; also for `SeparableMatrix::margin` cells on both sides
  /// of the grid, 0 beyond a side
  const AxisRates* along[3] = {nullptr, nullptr, nullptr};
  float mass = 0;

  KOKKOS_FORCEINLINE_FUNCTION AxisRates rates(int axis, int index) const {
    return along[axis][index];
  }
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION Conductances<Dim> around(int i, int j, int k) const {
    const float wx = area[0][i], wy = Dim > 1 ? area[1][j] : 1.0F, wz = Dim > 2 ? area[2][k] : 1.0F;
    Conductances<Dim> result;
    const float yz = wy * wz;
    result.anchor = mass * (wx * yz);
    result.lower[0] = face[0][i] * yz;
    result.upper[0] = face[0][i + 1] * yz;
    if constexpr (Dim > 1) {
      const float xz = wx * wz;
      result.lower[1] = face[1][j] * xz;
      result.upper[1] = face[1][j + 1] * xz;
    }
    if constexpr (Dim > 2) {
      const float xy = wx * wy;
      result.lower[2] = face[2][k] * xy;
      result.upper[2] = face[2][k + 1] * xy;
    }
    return result;
  }
};

/// The factors along one axis.
struct AxisFactors {
  std::vector<double> face;  ///< one more than cells
  std::vector<double> area;
  double conductivity = 0;  ///< of a face, times the distance of the centres on its two sides
};

/// Owns the factors: those of the whole grid, on every rank. Copies share them.
class SeparableMatrix {
 public:
  static constexpr int margin = 8;

  SeparableMatrix(const LevelGrid& grid, std::array<AxisFactors, 3> factors, double mass);

  SeparableView view() const;
  const AxisFactors& along(int axis) const { return factors_[static_cast<std::size_t>(axis)]; }
  double mass() const { return mass_; }
  /// Whether some side has a conductance, or cells have a mass, without which it is singular.
  bool anchored() const;

 private:
  LevelGrid grid_;
  std::array<AxisFactors, 3> factors_;
  double mass_;
  std::array<Kokkos::View<float*, comm::Memory>, 3> face_, area_;
  std::array<Kokkos::View<AxisRates*, comm::Memory>, 3> rates_;
};

}  // namespace halotherm::solver
