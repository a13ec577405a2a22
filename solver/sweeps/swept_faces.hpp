// SPDX-License-Identifier: MIT
// Faces of the cells of a row sweep, some planes at once.
#pragma once

#include "solver/streaming/streamed_faces.hpp"

#include <utility>
#include <vector>

namespace halotherm::solver {

#if defined(KOKKOS_ENABLE_CUDA)

/// {the last lane of `before`, the first of `here`, ...}: `here` moved by one cell.
template <class Real>
Pack<Real> moved_up(const Pack<Real>& before, const Pack<Real>& here) {
  return shifted_up(here, before.lanes[Pack<Real>::width - 1]);
}

#else

namespace detail {

template <class Real, std::size_t... Lane>
Pack<Real> moved_up(const Pack<Real>& before, const Pack<Real>& here,
                    std::index_sequence<Lane...>) {
  return {__builtin_shufflevector(before.lanes, here.lanes,
                                  (Pack<Real>::width - 1 + static_cast<int>(Lane))...)};
}

}  // namespace detail

/// {the last lane of `before`, the first of `here`, ...}: `here` moved by one cell, in one
/// instruction.
template <class Real>
Pack<Real> moved_up(const Pack<Real>& before, const Pack<Real>& here) {
  return detail::moved_up(before, here, std::make_index_sequence<Pack<Real>::width>());
}

#endif

/// Faces with one conductance an axis: nothing is kept. Calls go through rows in ascending order,
/// packs of a row in ascending order, and planes of a pack.
template <int Dim, int Planes, class Medium>
class SweptFaces;

template <int Dim, int Planes, class Real>
class SweptFaces<Dim, Planes, UniformMedium<Real>> {
 public:
  explicit SweptFaces(const UniformMedium<Real>& medium) : faces_(medium.faces) {}
  void begin_row(int, int, int, int) {}
  void begin_pack(int) {}
  const UniformFaces<Real>& of_plane(int, const Star<Dim, Pack<Real>>&) { return faces_; }

 private:
  const UniformFaces<Real>& faces_;
};

/// Where a row sweep is.
class SweptPlace {
 public:
  void begin_row(int, int, int j, int k) {
    j_ = j;
    k_ = k;
  }
  void begin_pack(int i) { i_ = i; }

 protected:
  int i_ = 0, j_ = 0, k_ = 0;
};

/// Faces of cells with widths of their own and constant K: nothing is kept.
template <int Dim, int Planes, class Real>
class SweptFaces<Dim, Planes, StretchedMedium<Real>> : public SweptPlace {
 public:
  explicit SweptFaces(const StretchedMedium<Real>& medium) : medium_(medium) {}
  VaryingFaces<Dim, Pack<Real>> of_plane(int n, const Star<Dim, Pack<Real>>& T) {
    return medium_.faces_of(T, i_, j_, k_ + n);
  }

 private:
  const StretchedMedium<Real>& medium_;
};

/// Faces that are stored: nothing is kept, since caches hold what neighbours share.
template <int Dim, int Planes, class Real, class Spacing>
class SweptFaces<Dim, Planes, StoredMedium<Real, Spacing>> : public SweptPlace {
 public:
  explicit SweptFaces(const StoredMedium<Real, Spacing>& medium) : medium_(medium) {}
  VaryingFaces<Dim, Pack<Real>> of_plane(int n, const Star<Dim, Pack<Real>>& T) {
    return medium_.faces_of(T, i_, j_, k_ + n);
  }

 private:
  const StoredMedium<Real, Spacing>& medium_;
};

/// Faces by the kinds of cells: nothing is kept.
template <int Dim, int Planes, class Real>
class SweptFaces<Dim, Planes, KindsMedium<Real>> : public SweptPlace {
 public:
  explicit SweptFaces(const KindsMedium<Real>& medium) : medium_(medium) {}
  VaryingFaces<Dim, Pack<Real>> of_plane(int n, const Star<Dim, Pack<Real>>& T) {
    return medium_.faces_of(T, i_, j_, k_ + n);
  }

 private:
  const KindsMedium<Real>& medium_;
};

/// Faces that follow the temperatures of each step: the lines of K are kept.
template <int Dim, int Planes, class Real, class Widths>
class SweptFaces<Dim, Planes, TabulatedMedium<Real, Widths>> : public SweptPlace {
 public:
  explicit SweptFaces(const TabulatedMedium<Real, Widths>& medium) : medium_(medium) {}
  VaryingFaces<Dim, Pack<Real>> of_plane(int n, const Star<Dim, Pack<Real>>& T) {
    return medium_.faces_of(T, i_, j_, k_ + n, recent_);
  }

 private:
  const TabulatedMedium<Real, Widths>& medium_;
  RecentLine<Real> recent_[Dim];
};

/// Faces that vary: a face takes a division, so one that two cells share is formed once and kept
/// for the second cell.
template <int Dim, int Planes, class Real, class Spacing>
class SweptFaces<Dim, Planes, VaryingMedium<Real, Spacing>> {
 public:
  using Cells = Pack<Real>;
  static constexpr int width = Cells::width;

  explicit SweptFaces(const VaryingMedium<Real, Spacing>& medium) : medium_(medium) {}

  /// Begins the packs from `begin` to `end` along x of the j-th row in the planes from k on.
  KOKKOS_FORCEINLINE_FUNCTION void begin_row(int begin, int end, int j, int k) {
    const bool are_kept = row_above_ == j && k_ == k;
    i_begin_ = begin;
    j_ = j;
    k_ = k;
    HALOTHERM_UNROLL
    for (int n = 0; n < Planes; ++n) {
      x_before_[n] = Cells::filled(upper<0, Real>(begin - 1, j, k + n));
    }
    if constexpr (Dim > 1) {
      if (!are_kept) form_faces_below(end);
      row_above_ = j + 1;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void begin_pack(int i) {
    i_ = i;
    if constexpr (Dim > 2) {
      z_here_ = resistance<2, Cells>(i, j_, k_);
      z_lower_ = medium_.spacing.face(2, resistance<2, Cells>(i, j_, k_ - 1), z_here_);
    }
    if constexpr (Dim > 1) y_lower_ = y_faces_ + (i - i_begin_) / width * Planes;
  }

  /// The faces of a pack in the n-th plane; call it for planes in ascending order.
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Cells> of_plane(int n, const Star<Dim, Cells>&) {
    VaryingFaces<Dim, Cells> faces;
    const Cells x_upper = upper<0, Cells>(i_, j_, k_ + n);
    set<0>(faces, i_, moved_up(x_before_[n], x_upper), x_upper);
    x_before_[n] = x_upper;
    if constexpr (Dim > 1) {
      const Cells y_upper = upper<1, Cells>(i_, j_, k_ + n);
      set<1>(faces, j_, y_lower_[n], y_upper);
      y_lower_[n] = y_upper;
    }
    if constexpr (Dim > 2) {
      const Cells above = resistance<2, Cells>(i_, j_, k_ + n + 1);
      const Cells z_upper = medium_.spacing.face(2, z_here_, above);
      set<2>(faces, k_ + n, z_lower_, z_upper);
      z_lower_ = z_upper;
      z_here_ = above;
    }
    return faces;
  }

 private:
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value resistance(int i, int j, int k) const {
    return medium_.spacing.resistance(Axis,
                                      Axis == 0   ? i
                                      : Axis == 1 ? j
                                                  : k,
                                      load_unaligned<Value>(&medium_.resistivity[Axis](i, j, k)));
  }
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value upper(int i, int j, int k) const {
    return medium_.spacing.face(
        Axis, resistance<Axis, Value>(i, j, k),
        resistance<Axis, Value>(i + (Axis == 0), j + (Axis == 1), k + (Axis == 2)));
  }
  template <int Axis>
  KOKKOS_FORCEINLINE_FUNCTION void set(VaryingFaces<Dim, Cells>& faces, int index,
                                       const Cells& lower, const Cells& upper) const {
    faces.lower[Axis] = medium_.spacing.seen(Axis, index, lower);
    faces.upper[Axis] = medium_.spacing.seen(Axis, index, upper);
  }

  /// Forms the lower faces of the first row, or of a row after one that was left out.
  void form_faces_below(int end) {
    // kept from step to step: nothing is allocated in one
    thread_local std::vector<Cells> kept;
    const auto packs = static_cast<std::size_t>((end - i_begin_ + width - 1) / width);
    if (kept.size() < packs * Planes) kept.resize(packs * Planes);
    y_faces_ = kept.data();
    Cells* to = y_faces_;
    for (int i = i_begin_; i < end; i += width) {
      for (int n = 0; n < Planes; ++n) *to++ = upper<1, Cells>(i, j_ - 1, k_ + n);
    }
  }

  const VaryingMedium<Real, Spacing>& medium_;
  int i_begin_ = 0, i_ = 0, j_ = 0, k_ = 0;
  int row_above_ = -(1 << 30);  ///< `y_faces_` are the lower ones of this row
  Cells* y_faces_ = nullptr;    ///< pack by pack, of each plane
  Cells* y_lower_ = nullptr;
  Cells x_before_[Planes];
  Cells z_here_, z_lower_;
};

}  // namespace halotherm::solver
