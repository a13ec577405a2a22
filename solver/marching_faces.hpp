// SPDX-License-Identifier: MIT
// The faces of the cells that a marching thread computes.
#pragma once

#include "solver/heat_equation.hpp"

namespace halotherm::solver {

/// {before, the first of `here`, ...}: the lower neighbours along x of a pack.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> shifted_up(const Pack<Real>& here, Real before) {
  Pack<Real> result;
  result.lanes[0] = before;
  HALOTHERM_UNROLL
  for (int n = 1; n < Pack<Real>::width; ++n) result.lanes[n] = here.lanes[n - 1];
  return result;
}

/// The upper neighbours along x.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Pack<Real> shifted_down(const Pack<Real>& here, Real after) {
  Pack<Real> result;
  HALOTHERM_UNROLL
  for (int n = 0; n + 1 < Pack<Real>::width; ++n) result.lanes[n] = here.lanes[n + 1];
  result.lanes[Pack<Real>::width - 1] = after;
  return result;
}

/// The faces of a marching thread's cells where they are alike: nothing to keep.
template <int Dim, int Rows, bool Isotropic, class Medium>
class MarchingFaces;

template <int Dim, int Rows, bool Isotropic, class Real>
class MarchingFaces<Dim, Rows, Isotropic, UniformMedium<Real>> {
 public:
  KOKKOS_FORCEINLINE_FUNCTION MarchingFaces(const UniformMedium<Real>& medium, int, int, int) : faces_(medium.faces) {}
  KOKKOS_FORCEINLINE_FUNCTION void begin_plane(int) {}
  KOKKOS_FORCEINLINE_FUNCTION const UniformFaces<Real>& of_row(int, int) { return faces_; }
  KOKKOS_FORCEINLINE_FUNCTION void end_plane() {}

 private:
  const UniformFaces<Real>& faces_;
};

/// Where they vary: each face that two of the thread's cells share is formed once.
template <int Dim, int Rows, bool Isotropic, class Real>
class MarchingFaces<Dim, Rows, Isotropic, VaryingMedium<Real>> {
 public:
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION MarchingFaces(const VaryingMedium<Real>& medium, int i, int j, int k)
      : medium_(medium), i_(i), j_(j) {
    if constexpr (Dim > 2) {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        z_here_[r] = at(2, j_ + r, k);
        z_lower_[r] = face(2, at(2, j_ + r, k - 1), z_here_[r]);
      }
    }
  }

  /// Loads what the plane needs, all at once.
  KOKKOS_FORCEINLINE_FUNCTION void begin_plane(int k) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if constexpr (Dim > 2) z_above_[r] = at(2, j_ + r, k + 1);
      y_here_[r] = Isotropic && Dim > 2 ? z_here_[r] : at(1, j_ + r, k);
    }
    y_above_ = at(1, j_ + Rows, k);
    y_lower_ = face(1, at(1, j_ - 1, k), y_here_[0]);
  }

  /// Rows in their order.
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_row(int r, int k) {
    VaryingFaces<Dim, Cells> faces;
    const Real* here = &medium_.resistivity[0](i_, j_ + r, k);
    const Cells x_here = Isotropic ? y_here_[r] : load<Cells>(here);
    // the face beyond the last lane is the only one that the lower faces do not have
    faces.lower[0] = face(0, shifted_up(x_here, load<Real>(here - 1)), x_here);
    const Real last = face_conductance(x_here.lanes[Cells::width - 1], load<Real>(here + Cells::width), medium_.two_over_h2[0]);
    faces.upper[0] = shifted_down(faces.lower[0], last);
    faces.lower[1] = y_lower_;
    faces.upper[1] = face(1, y_here_[r], r + 1 < Rows ? y_here_[r + 1 < Rows ? r + 1 : r] : y_above_);
    y_lower_ = faces.upper[1];
    if constexpr (Dim > 2) {
      faces.lower[2] = z_lower_[r];
      faces.upper[2] = face(2, z_here_[r], z_above_[r]);
      z_lower_[r] = faces.upper[2];
    }
    return faces;
  }

  KOKKOS_FORCEINLINE_FUNCTION void end_plane() {
    if constexpr (Dim > 2) {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) z_here_[r] = z_above_[r];
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION Cells at(int axis, int j, int k) const {
    return load<Cells>(&medium_.resistivity[Isotropic ? 0 : axis](i_, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells face(int axis, const Cells& one, const Cells& other) const {
    return face_conductance(one, other, medium_.two_over_h2[axis]);
  }

  const VaryingMedium<Real>& medium_;
  int i_;
  int j_;
  Cells y_here_[Rows], y_above_, y_lower_;
  Cells z_here_[Rows], z_above_[Rows], z_lower_[Rows];
};

}  // namespace halotherm::solver
