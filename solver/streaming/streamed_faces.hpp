// SPDX-License-Identifier: MIT
// Faces of the cells of a streaming thread.
#pragma once

#include "comm/device/prefetch.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/medium/medium_traits.hpp"
#include "solver/streaming/streamed_spacing.hpp"

namespace halotherm::solver {

/// Faces with one conductance an axis: nothing is kept. `arrive` takes whether ghost temperatures
/// beyond a side across x may lie in the lanes of a pack.
template <int Dim, int Rows, bool Isotropic, class Medium>
class StreamedFaces;

template <int Dim, int Rows, bool Isotropic, class Real>
class StreamedFaces<Dim, Rows, Isotropic, UniformMedium<Real>> {
 public:
  KOKKOS_FORCEINLINE_FUNCTION StreamedFaces(const UniformMedium<Real>& medium, int, int, int)
      : faces_(medium.faces) {}
  KOKKOS_FORCEINLINE_FUNCTION void arrive(bool) {}
  KOKKOS_FORCEINLINE_FUNCTION const UniformFaces<Real>& of_row(int, const Star<Dim, Pack<Real>>&) {
    return faces_;
  }
  KOKKOS_FORCEINLINE_FUNCTION void depart() {}

 private:
  const UniformFaces<Real>& faces_;
};

/// Faces of cells with widths of their own and constant K: those across x do not change along the
/// thread's way, nor in three dimensions those across y.
template <int Dim, int Rows, bool Isotropic, class Real>
class StreamedFaces<Dim, Rows, Isotropic, StretchedMedium<Real>> {
 public:
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedFaces(const StretchedMedium<Real>& medium, int i, int j,
                                            int k)
      : medium_(medium),
        stream_(Dim == 2 ? j : k),
        x_lower_(load<Cells>(medium.lower[0] + i)),
        x_upper_(load<Cells>(medium.upper[0] + i)) {
    if constexpr (Dim > 2) set_rows(j);
  }
  KOKKOS_FORCEINLINE_FUNCTION void arrive(bool) {
    if constexpr (Dim == 2) {
      set_rows(stream_);
    } else {
      z_lower_ = load<Real>(medium_.lower[2] + stream_);
      z_upper_ = load<Real>(medium_.upper[2] + stream_);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_row(int r, const Star<Dim, Cells>&) {
    VaryingFaces<Dim, Cells> faces;
    faces.lower[0] = x_lower_;
    faces.upper[0] = x_upper_;
    faces.lower[1] = broadcast<Cells>(y_lower_[r]);
    faces.upper[1] = broadcast<Cells>(y_upper_[r]);
    if constexpr (Dim > 2) {
      faces.lower[2] = broadcast<Cells>(z_lower_);
      faces.upper[2] = broadcast<Cells>(z_upper_);
    }
    return faces;
  }
  KOKKOS_FORCEINLINE_FUNCTION void depart() { stream_ += Dim == 2 ? Rows : 1; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void set_rows(int j) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      y_lower_[r] = load<Real>(medium_.lower[1] + j + r);
      y_upper_[r] = load<Real>(medium_.upper[1] + j + r);
    }
  }

  const StretchedMedium<Real>& medium_;
  int stream_;  ///< index along the axis of the stream
  Cells x_lower_, x_upper_;
  Real y_lower_[Rows], y_upper_[Rows];
  Real z_lower_, z_upper_;
};

/// Faces that vary: a face that two of the thread's cells share is formed once.
template <int Dim, int Rows, bool Isotropic, class Real, class Spacing>
class StreamedFaces<Dim, Rows, Isotropic, VaryingMedium<Real, Spacing>> {
 public:
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedFaces(const VaryingMedium<Real, Spacing>& medium, int i,
                                            int j, int k)
      : medium_(medium), spacing_(medium.spacing, i, j, k) {
    HALOTHERM_UNROLL
    for (int axis = 0; axis < fields; ++axis) first_[axis] = &medium.resistivity[axis](i, j, k);
    if constexpr (Dim == 2) {
      y_here_[0] = at(1, 0, 0);
      y_lower_ = face_y(0, at(1, -1, 0), y_here_[0]);
    } else {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        z_here_[r] = at(2, r, 0);
        z_lower_[r] = face_z(0, at(2, r, -1), z_here_[r]);
      }
    }
  }

  /// Loads what the current rows need, before the first use.
  KOKKOS_FORCEINLINE_FUNCTION void arrive(bool) {
    if constexpr (Dim > 2 && MediumTraits<VaryingMedium<Real, Spacing>>::prefetches) {
      HALOTHERM_UNROLL
      for (int axis = 0; axis < fields; ++axis)
        comm::prefetch(first_[axis] + 2 * medium_.resistivity[axis].plane);
    }
    spacing_.arrive();
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if constexpr (Dim == 2) {
        if (r > 0) y_here_[r] = at(1, r, 0);
      } else {
        z_above_[r] = at(2, r, 1);
        y_here_[r] = Isotropic ? z_here_[r] : at(1, r, 0);
      }
      x_here_[r] = Isotropic ? y_here_[r] : at(0, r, 0);
      const Real* row = first_[0] + r * medium_.resistivity[0].row;
      x_before_[r] = load<Real>(row - 1);
      x_after_[r] = load<Real>(row + Cells::width);
    }
    if constexpr (Dim > 2) y_below_ = at(1, -1, 0);
    y_above_ = at(1, Rows, 0);
  }

  /// The faces of a row; call it for rows in ascending order.
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_row(int r, const Star<Dim, Cells>&) {
    VaryingFaces<Dim, Cells> faces;
    set_x_faces(r, faces);
    const Cells below = Dim > 2 && r == 0 ? face_y(0, y_below_, y_here_[0]) : y_lower_;
    y_lower_ =
        face_y(r + 1, y_here_[r], r + 1 < Rows ? y_here_[r + 1 < Rows ? r + 1 : r] : y_above_);
    faces.lower[1] = spacing_.seen(1, r, below);
    faces.upper[1] = spacing_.seen(1, r, y_lower_);
    if constexpr (Dim > 2) {
      faces.lower[2] = spacing_.seen(2, r, z_lower_[r]);
      z_lower_[r] = face_z(1, z_here_[r], z_above_[r]);
      faces.upper[2] = spacing_.seen(2, r, z_lower_[r]);
    }
    return faces;
  }

  /// Keeps what the next rows need again.
  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    spacing_.depart();
    HALOTHERM_UNROLL
    for (int axis = 0; axis < fields; ++axis) {
      first_[axis] +=
          Dim == 2 ? Rows * medium_.resistivity[axis].row : medium_.resistivity[axis].plane;
    }
    if constexpr (Dim == 2) {
      y_here_[0] = y_above_;
    } else {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) z_here_[r] = z_above_[r];
    }
  }

 private:
  static constexpr int fields = Isotropic ? 1 : Dim;

  /// The resistivity along an axis, in the r-th current row, `planes` above.
  KOKKOS_FORCEINLINE_FUNCTION Cells at(int axis, int r, int planes) const {
    const int field = Isotropic ? 0 : axis;
    return load<Cells>(first_[field] + r * medium_.resistivity[field].row +
                       planes * medium_.resistivity[field].plane);
  }
  /// The face between the rows r - 1 and r, or the planes before and at `plane`, of these
  /// resistivities.
  KOKKOS_FORCEINLINE_FUNCTION Cells face_y(int r, const Cells& before, const Cells& at) const {
    return spacing_.face(1, spacing_.along_y(r - 1, before), spacing_.along_y(r, at));
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells face_z(int plane, const Cells& before, const Cells& at) const {
    return spacing_.face(2, spacing_.along_z(plane - 1, before), spacing_.along_z(plane, at));
  }
  /// The face beyond the last lane is the only one that the lower faces do not have.
  KOKKOS_FORCEINLINE_FUNCTION void set_x_faces(int r, VaryingFaces<Dim, Cells>& faces) const {
    const Cells here = spacing_.along_x(x_here_[r]);
    const Cells lower = spacing_.face(0, shifted_up(here, spacing_.before_x(x_before_[r])), here);
    const Real last = spacing_.face(0, here.lanes[Cells::width - 1], spacing_.after_x(x_after_[r]));
    faces.lower[0] = spacing_.seen(0, r, lower);
    faces.upper[0] = spacing_.seen(0, r, shifted_down(lower, last));
  }

  const VaryingMedium<Real, Spacing>& medium_;
  StreamedSpacing<Dim, Rows, Spacing> spacing_;
  const Real* first_[fields];  ///< cell of the first current row
  Cells x_here_[Rows], y_here_[Rows], z_here_[Rows], z_above_[Rows];
  Real x_before_[Rows], x_after_[Rows];
  Cells y_below_, y_above_;
  Cells y_lower_, z_lower_[Rows];  ///< faces that are formed already
};

}  // namespace halotherm::solver
