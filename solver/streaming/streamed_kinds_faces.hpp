// SPDX-License-Identifier: MIT
// Faces of a streaming thread's cells that are of few kinds.
#pragma once

#include "solver/streaming/streamed_faces.hpp"

namespace halotherm::solver {

/// Kinds are kept for the next cells of the stream, and the faces towards these.
template <int Dim, int Rows, bool Isotropic, class Real>
class StreamedFaces<Dim, Rows, Isotropic, KindsMedium<Real>> {
 public:
  static_assert(Rows == 1);
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedFaces(const KindsMedium<Real>& medium, int i, int j, int k)
      : medium_(medium), at_(&medium.of_cell(i, j, k)) {
    here_ = load_bytes<width>(at_);
    before_ = face(stream_axis, load_bytes<width>(at_ - stride()), here_);
  }

  /// Loads what the current row needs.
  KOKKOS_FORCEINLINE_FUNCTION void arrive(bool) {
    comm::prefetch(at_ + 2 * stride());
    next_ = load_bytes<width>(at_ + stride());
    west_ = load_bytes<1>(at_ - 1);
    east_ = load_bytes<1>(at_ + width);
    if constexpr (Dim > 2) {
      south_ = load_bytes<width>(at_ - medium_.of_cell.row);
      north_ = load_bytes<width>(at_ + medium_.of_cell.row);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_row(int, const Star<Dim, Cells>&) {
    VaryingFaces<Dim, Cells> faces;
    faces.lower[0] = face(0, here_.shifted_up(west_), here_);
    faces.upper[0] = shifted_down(
        faces.lower[0], look_up<Real>(medium_.faces[0], medium_.count, here_.last(), east_));
    if constexpr (Dim > 2) {
      faces.lower[1] = face(1, south_, here_);
      faces.upper[1] = face(1, here_, north_);
    }
    faces.lower[stream_axis] = before_;
    before_ = face(stream_axis, here_, next_);
    faces.upper[stream_axis] = before_;
    return faces;
  }

  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    at_ += stride();
    here_ = next_;
  }

 private:
  static constexpr int stream_axis = Dim - 1, width = Cells::width;
  using Kinds = CellBytes<width>;

  /// From a cell to the next one of the stream.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t stride() const {
    return Dim == 2 ? medium_.of_cell.row : medium_.of_cell.plane;
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells face(int axis, const Kinds& lower, const Kinds& upper) const {
    return look_up<Cells>(medium_.faces[axis], medium_.count, lower, upper);
  }

  const KindsMedium<Real>& medium_;
  const std::uint8_t* at_;  ///< of the current cells
  Kinds here_, next_, south_, north_;
  CellBytes<1> west_, east_;
  Cells before_;  ///< across the axis of the stream
};

}  // namespace halotherm::solver
