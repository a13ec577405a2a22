// SPDX-License-Identifier: MIT
// Corrections that are linear along each axis between the centres of coarse cells.
#pragma once

#include "solver/field/arithmetic.hpp"
#include "solver/multigrid/coarsening.hpp"

#include <array>
#include <vector>

namespace halotherm::solver {

/// What a fine cell takes along one axis: `low` and `high` of the two coarse cells between whose
/// centres it lies. Along the axis `upper` grows by at most 1 a cell.
struct alignas(16) AxisWeights {
  int lower = 0;
  int upper = 0;  ///< lower + 1; `lower` where the cell takes from one only, and `low` is 0
  float low = 0;
  float high = 1;
};

/// In kernels.
struct InterpolationView {
  /// by index of the fine cell; also of `SeparableMatrix::margin` cells beyond the grid, where a
  /// side's cells take nothing
  const AxisWeights* along[3];

  static KOKKOS_FORCEINLINE_FUNCTION float between(const AxisWeights& weights, float lower,
                                                   float upper) {
    return multiply_add(weights.high, upper, weights.low * lower);
  }
  /// On a line along x through coarse cells.
  static KOKKOS_FORCEINLINE_FUNCTION float on_line(const comm::GridView<const float>& coarse,
                                                   const AxisWeights& x, int J, int K) {
    return between(x, coarse(x.lower, J, K), coarse(x.upper, J, K));
  }
  /// In a plane of coarse cells.
  static KOKKOS_FORCEINLINE_FUNCTION float in_plane(const comm::GridView<const float>& coarse,
                                                    const AxisWeights& x, const AxisWeights& y,
                                                    int K) {
    return between(y, on_line(coarse, x, y.lower, K), on_line(coarse, x, y.upper, K));
  }
  /// At a fine cell.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION float operator()(const comm::GridView<const float>& coarse, int i,
                                               int j, int k) const {
    const auto x = along[0][i];
    if constexpr (Dim == 1) return on_line(coarse, x, j, k);
    const auto y = along[1][j];
    if constexpr (Dim == 2) return in_plane(coarse, x, y, k);
    const auto z = along[2][k];
    return between(z, in_plane(coarse, x, y, z.lower), in_plane(coarse, x, y, z.upper));
  }
};

/// Owns the weights of all fine cells, on every rank. Between the last centre and a side the
/// correction is linear towards that of the face, which follows from the side's conductance: 0 at a
/// fixed temperature, that of the cell at an insulated side.
class Interpolation {
 public:
  /// Blocking.
  Interpolation(const Coarsening& coarsening, const SeparableMatrix& fine,
                const SeparableMatrix& coarse, double factor);

  InterpolationView view() const { return view_with(along_x_); }
  /// All corrections times `factor`.
  InterpolationView multiplied() const { return view_with(multiplied_along_x_); }
  /// Of the cells along an axis, in `view`.
  const std::vector<AxisWeights>& along(int axis) const {
    return weights_[static_cast<std::size_t>(axis)];
  }

 private:
  using OnDevice = Kokkos::View<AxisWeights*, comm::Memory>;
  InterpolationView view_with(const OnDevice& along_x) const;

  std::array<std::vector<AxisWeights>, 3> weights_;
  OnDevice along_x_, multiplied_along_x_, along_y_, along_z_;
};

}  // namespace halotherm::solver
