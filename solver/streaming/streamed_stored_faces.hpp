// SPDX-License-Identifier: MIT
// Stored faces of the cells of a streaming thread.
#pragma once

#include "solver/streaming/streamed_faces.hpp"

namespace halotherm::solver {

/// Faces that are stored: the one towards the next cells of the stream is kept for them.
template <int Dim, int Rows, bool Isotropic, class Real, class Spacing>
class StreamedFaces<Dim, Rows, Isotropic, StoredMedium<Real, Spacing>> {
 public:
  static_assert(Rows == 1);
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedFaces(const StoredMedium<Real, Spacing>& medium, int i, int j,
                                            int k)
      : medium_(medium), spacing_(medium.spacing, i, j, k) {
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) face_[axis] = &medium.lower[axis](i, j, k);
    before_ = load<Cells>(face_[stream_axis]);
  }

  /// Loads what the current row needs.
  KOKKOS_FORCEINLINE_FUNCTION void arrive(bool) {
    spacing_.arrive();
    x_lower_ = load<Cells>(face_[0]);
    x_after_ = load<Real>(face_[0] + Cells::width);
    if constexpr (Dim > 2) {
      y_lower_ = load<Cells>(face_[1]);
      y_upper_ = load<Cells>(face_[1] + medium_.lower[1].row);
    }
    next_ = load<Cells>(face_[stream_axis] + stride(stream_axis));
  }

  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_row(int, const Star<Dim, Cells>&) {
    VaryingFaces<Dim, Cells> faces;
    faces.lower[0] = spacing_.seen(0, 0, x_lower_);
    faces.upper[0] = spacing_.seen(0, 0, shifted_down(x_lower_, x_after_));
    if constexpr (Dim > 2) {
      faces.lower[1] = spacing_.seen(1, 0, y_lower_);
      faces.upper[1] = spacing_.seen(1, 0, y_upper_);
    }
    faces.lower[stream_axis] = spacing_.seen(stream_axis, 0, before_);
    faces.upper[stream_axis] = spacing_.seen(stream_axis, 0, next_);
    return faces;
  }

  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    spacing_.depart();
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) face_[axis] += stride(axis);
    before_ = next_;
  }

 private:
  static constexpr int stream_axis = Dim - 1;

  /// From a cell to the next one of the stream.
  KOKKOS_FORCEINLINE_FUNCTION auto stride(int axis) const {
    return Dim == 2 ? medium_.lower[axis].row : medium_.lower[axis].plane;
  }

  const StoredMedium<Real, Spacing>& medium_;
  StreamedSpacing<Dim, Rows, Spacing> spacing_;
  const Real* face_[Dim];  ///< of the current cells, across each axis
  Cells x_lower_, y_lower_, y_upper_;
  Real x_after_;
  Cells before_, next_;  ///< across the axis of the stream
};

}  // namespace halotherm::solver
