// SPDX-License-Identifier: MIT
// The conductances of faces in a wavefront of several steps.
#pragma once

#include "solver/medium/medium.hpp"
#include "solver/waves/plane_rings.hpp"

#include <type_traits>

namespace halotherm::solver {

/// Faces that a few numbers give: nothing is kept.
template <int Dim, class Real, class Medium>
class WaveFaces {
 public:
  /// Bytes that a strip of such a box takes.
  static std::int64_t bytes_of(const comm::Box&, int) { return 0; }

  /// `largest`: of the boxes that are placed. `medium` must outlive it.
  WaveFaces(const Medium& medium, const comm::Box& largest, int steps) : medium_(medium) {
    static_cast<void>(largest), static_cast<void>(steps);
  }

  /// Begins a strip, of whose cells `box` steps are computed.
  void place(const comm::Box&) {}
  /// Before the first step in planes up to `end` along the axis of the wave.
  void form_until(int) {}

  /// The faces of a row in consecutive planes.
  template <int Planes>
  struct Row {
    const Medium* medium;
    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION auto of(int, const Star<Dim, Value>& T, int i, int j, int k) const {
      return medium->faces_of(T, i, j, k);
    }
  };
  template <int Planes>
  Row<Planes> row(int, int) {
    return {&medium_};
  }

 private:
  const Medium& medium_;
};

/// Media in which K varies.
template <class Medium>
concept FormsFaces = requires(const Medium& medium) {
  medium.template lower_face<0, float>(0, 0, 0);
};

/// Faces where K varies: each takes a division or a look-up, so it is formed once for all steps,
/// and kept until the last has passed.
template <int Dim, class Real, FormsFaces Medium>
class WaveFaces<Dim, Real, Medium> {
 public:
  using Spacing = decltype(Medium::spacing);
  static constexpr int along = Dim - 1;  ///< the axis of the wave

  static std::int64_t bytes_of(const comm::Box& box, int steps) {
    return Dim * PlaneRings<Real>::bytes_of(box, Dim, planes_for(steps));
  }

  WaveFaces(const Medium& medium, const comm::Box& largest, int steps)
      : medium_(medium), rings_(with_upper_faces(largest), Dim, Dim, planes_for(steps)) {}

  void place(const comm::Box& box) {
    box_ = with_upper_faces(box);
    rings_.place(box_);
    formed_ = box_.lower[along];
  }
  void form_until(int end) {
    for (; formed_ <= end && formed_ < box_.upper[along]; ++formed_) {
      if constexpr (Dim == 2) form_row(formed_, 0);
      if constexpr (Dim > 2) {
        for (int j = box_.lower[1]; j < box_.upper[1]; ++j) form_row(j, formed_);
      }
    }
  }

  template <int Planes>
  struct Row {
    const Real* x[Planes];          ///< lower faces, by the index of the cell
    const Real* y[Planes];          ///< lower faces
    const Real* y_upper[Planes];    ///< upper faces
    const Real* along[Planes + 1];  ///< lower faces across the axis of the wave
    const Spacing* spacing;

    template <class Value>
    KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> of(int n, const Star<Dim, Value>&, int i,
                                                            int j, int k) const {
      VaryingFaces<Dim, Value> faces;
      const auto seen = [&](int axis, int index, const Real* face) {
        return spacing->seen(axis, index, load_unaligned<Value>(face));
      };
      faces.lower[0] = seen(0, i, x[n] + i);
      faces.upper[0] = seen(0, i, x[n] + i + 1);
      if constexpr (Dim > 2) {
        faces.lower[1] = seen(1, j, y[n] + i);
        faces.upper[1] = seen(1, j, y_upper[n] + i);
      }
      faces.lower[Dim - 1] = seen(Dim - 1, Dim > 2 ? k : j, along[n] + i);
      faces.upper[Dim - 1] = seen(Dim - 1, Dim > 2 ? k : j, along[n + 1] + i);
      return faces;
    }
  };
  template <int Planes>
  Row<Planes> row(int j, int k) {
    Row<Planes> row;
    row.spacing = &medium_.spacing;
    for (int n = 0; n <= Planes; ++n)
      row.along[n] = rings_.row(Dim - 1, Dim > 2 ? j : j + n, Dim > 2 ? k + n : k);
    for (int n = 0; n < Planes; ++n) {
      const int at_j = Dim > 2 ? j : j + n, at_k = Dim > 2 ? k + n : k;
      row.x[n] = rings_.row(0, at_j, at_k);
      row.y[n] = rings_.row(1, at_j, at_k);
      row.y_upper[n] = rings_.row(1, Dim > 2 ? at_j + 1 : at_j, at_k);
    }
    return row;
  }

 private:
  using Cells = Pack<Real>;
  static constexpr int width = Cells::width;

  /// Planes between the first step and the last, those beside them, and one that is formed.
  static int planes_for(int steps) {
    int planes = PlaneRings<Real>::fewest_planes;
    while (planes < steps + 4) planes *= 2;
    return planes;
  }
  static comm::Box with_upper_faces(comm::Box box) {
    for (int axis = 0; axis < Dim; ++axis) ++box.upper[axis];
    return box;
  }

  void form_row(int j, int k) {
    const int begin = box_.lower[0], end = box_.upper[0];
    int i = begin;
    for (; i + width <= end; i += width) form<Cells>(i, j, k);
    for (; i < end; ++i) form<Real>(i, j, k);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void form(int i, int j, int k) {
    store(rings_.row(0, j, k) + i, medium_.template lower_face<0, Value>(i, j, k));
    store(rings_.row(1, j, k) + i, medium_.template lower_face<1, Value>(i, j, k));
    if constexpr (Dim > 2)
      store(rings_.row(2, j, k) + i, medium_.template lower_face<2, Value>(i, j, k));
  }

  const Medium& medium_;
  comm::Box box_;
  PlaneRings<Real> rings_;
  int formed_ = 0;  ///< the first plane that is not
};

}  // namespace halotherm::solver
