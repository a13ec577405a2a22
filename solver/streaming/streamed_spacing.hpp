// SPDX-License-Identifier: MIT
// How the widths of the cells of a streaming thread enter the conductances of their faces.
#pragma once

#include "solver/medium/spacing.hpp"

namespace halotherm::solver {

/// For the current rows of a thread that streams from (i, j, k) on: a spacing whose entries stay in
/// registers as long as they hold. Rows and planes count from the first current one.
template <int Dim, int Rows, class Spacing>
class StreamedSpacing;

template <int Dim, int Rows, class Real>
class StreamedSpacing<Dim, Rows, EvenSpacing<Real>> {
 public:
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedSpacing(const EvenSpacing<Real>& spacing, int, int, int)
      : spacing_(spacing) {}
  KOKKOS_FORCEINLINE_FUNCTION void arrive() {}
  KOKKOS_FORCEINLINE_FUNCTION void depart() {}

  /// Resistances along x of the current cells, and of those before and after them.
  KOKKOS_FORCEINLINE_FUNCTION Cells along_x(const Cells& r) const { return r; }
  KOKKOS_FORCEINLINE_FUNCTION Real before_x(Real r) const { return r; }
  KOKKOS_FORCEINLINE_FUNCTION Real after_x(Real r) const { return r; }
  /// Resistances along y of the cells of a row, from -1 to `Rows`.
  KOKKOS_FORCEINLINE_FUNCTION Cells along_y(int, const Cells& r) const { return r; }
  /// Resistances along z of the cells of a plane, from -1 to 1.
  KOKKOS_FORCEINLINE_FUNCTION Cells along_z(int, const Cells& r) const { return r; }
  /// Of the face between two cells of these resistances.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value face(int axis, const Value& one, const Value& other) const {
    return spacing_.face(axis, one, other);
  }
  /// The conductances of a face across an axis, as the cells of a row see it.
  KOKKOS_FORCEINLINE_FUNCTION Cells seen(int, int, const Cells& face) const { return face; }

 private:
  const EvenSpacing<Real>& spacing_;
};

template <int Dim, int Rows, class Real>
class StreamedSpacing<Dim, Rows, UnevenSpacing<Real>> {
 public:
  using Cells = Pack<Real>;

  KOKKOS_FORCEINLINE_FUNCTION StreamedSpacing(const UnevenSpacing<Real>& spacing, int i, int j,
                                              int k)
      : spacing_(spacing),
        stream_(Dim == 2 ? j : k),
        x_(load<Cells>(spacing.width[0] + i)),
        x_factor_(load<Cells>(spacing.two_over_width[0] + i)),
        before_(load<Real>(spacing.width[0] + i - 1)),
        after_(load<Real>(spacing.width[0] + i + Cells::width)) {
    set_rows(j);
    if constexpr (Dim > 2) {
      z_[0] = load<Real>(spacing.width[2] + k - 1);
      z_[1] = load<Real>(spacing.width[2] + k);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void arrive() {
    if constexpr (Dim == 2) {
      set_rows(stream_);
    } else {
      z_[2] = load<Real>(spacing_.width[2] + stream_ + 1);
      z_factor_ = load<Real>(spacing_.two_over_width[2] + stream_);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    stream_ += Dim == 2 ? Rows : 1;
    if constexpr (Dim > 2) {
      z_[0] = z_[1];
      z_[1] = z_[2];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Cells along_x(const Cells& r) const { return x_ * r; }
  KOKKOS_FORCEINLINE_FUNCTION Real before_x(Real r) const { return before_ * r; }
  KOKKOS_FORCEINLINE_FUNCTION Real after_x(Real r) const { return after_ * r; }
  KOKKOS_FORCEINLINE_FUNCTION Cells along_y(int row, const Cells& r) const {
    return broadcast<Cells>(y_[row + 1]) * r;
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells along_z(int plane, const Cells& r) const {
    return broadcast<Cells>(z_[plane + 1]) * r;
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value face(int axis, const Value& one, const Value& other) const {
    return spacing_.face(axis, one, other);
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells seen(int axis, int row, const Cells& face) const {
    if (axis == 0) return face * x_factor_;
    return face * broadcast<Cells>(axis == 1 ? y_factor_[row] : z_factor_);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void set_rows(int j) {
    HALOTHERM_UNROLL
    for (int row = -1; row <= Rows; ++row) y_[row + 1] = load<Real>(spacing_.width[1] + j + row);
    HALOTHERM_UNROLL
    for (int row = 0; row < Rows; ++row)
      y_factor_[row] = load<Real>(spacing_.two_over_width[1] + j + row);
  }

  const UnevenSpacing<Real>& spacing_;
  int stream_;  ///< index along the axis of the stream
  Cells x_, x_factor_;
  Real before_, after_;
  Real y_[Rows + 2], y_factor_[Rows];
  Real z_[3], z_factor_;
};

}  // namespace halotherm::solver
