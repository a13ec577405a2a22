// SPDX-License-Identifier: MIT
// The faces of cells that lie above each other, plane by plane.
#pragma once

#include "solver/heat_equation.hpp"

namespace halotherm::solver {

/// From the cells (i, j, k) on upwards; `Value` is Real or Pack<Real>.
template <class Medium, class Value>
class ColumnFaces;

template <class Real, class Value>
class ColumnFaces<UniformMedium<Real>, Value> {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ColumnFaces(const UniformMedium<Real>& medium, int, int, int) : faces_(medium.faces) {}
  KOKKOS_FORCEINLINE_FUNCTION const UniformFaces<Real>& next() { return faces_; }

 private:
  const UniformFaces<Real>& faces_;
};

/// The face between two planes is formed once.
template <class Real, class Value>
class ColumnFaces<VaryingMedium<Real>, Value> {
 public:
  KOKKOS_FORCEINLINE_FUNCTION ColumnFaces(const VaryingMedium<Real>& medium, int i, int j, int k)
      : medium_(medium), i_(i), j_(j), k_(k), here_(at(k)), lower_(face_conductance(at(k - 1), here_, medium.two_over_h2[2])) {}

  /// Of the next plane.
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<3, Value> next() {
    auto faces = medium_.template faces_within_plane<3, Value>(i_, j_, k_);
    const Value above = at(++k_);
    faces.lower[2] = lower_;
    faces.upper[2] = face_conductance(here_, above, medium_.two_over_h2[2]);
    lower_ = faces.upper[2];
    here_ = above;
    return faces;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Value at(int k) const { return load_unaligned<Value>(&medium_.resistivity[2](i_, j_, k)); }

  const VaryingMedium<Real>& medium_;
  int i_;
  int j_;
  int k_;
  Value here_;
  Value lower_;
};

}  // namespace halotherm::solver
