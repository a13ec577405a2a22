// SPDX-License-Identifier: MIT
// Conductances of faces that are stored, since they do not follow from the cells alone.
#pragma once

#include "solver/field/field.hpp"
#include "solver/medium/spacing.hpp"

namespace halotherm::solver {

/// Faces with conductances of their own, as those of contacts between materials.
template <class Real, class Spacing>
struct StoredMedium {
  /// Of each cell's lower face across an axis, what its two cells share (Spacing::face); the upper
  /// face is the lower one of the next cell.
  comm::GridView<const Real> lower[3];
  Spacing spacing;

  /// The faces of the cells from (i, j, k) on.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> faces_of(const Star<Dim, Value>&, int i,
                                                                int j, int k) const {
    VaryingFaces<Dim, Value> faces;
    set_faces<0>(faces, i, j, k);
    if constexpr (Dim > 1) set_faces<1>(faces, i, j, k);
    if constexpr (Dim > 2) set_faces<2>(faces, i, j, k);
    return faces;
  }
  /// Faces of a cell that no temperatures make more conductive.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Real> largest_faces(int i, int j, int k) const {
    return faces_of(Star<Dim, Real>{}, i, j, k);
  }

 private:
  template <int Axis, int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void set_faces(VaryingFaces<Dim, Value>& faces, int i, int j,
                                             int k) const {
    constexpr int d[3] = {Axis == 0, Axis == 1, Axis == 2};
    const int index = Axis == 0 ? i : Axis == 1 ? j : k;
    const auto seen = [&](const Real* face) {
      return spacing.seen(Axis, index, load_unaligned<Value>(face));
    };
    faces.lower[Axis] = seen(&lower[Axis](i, j, k));
    faces.upper[Axis] = seen(&lower[Axis](i + d[0], j + d[1], k + d[2]));
  }
};

}  // namespace halotherm::solver
