// SPDX-License-Identifier: MIT
// Conductances of faces that follow the temperatures of their cells.
#pragma once

#include "solver/material/materials.hpp"
#include "solver/medium/cell_bytes.hpp"
#include "solver/medium/spacing.hpp"

namespace halotherm::solver {

/// How the widths of cells enter the conductances of faces, where these follow from the K of both
/// cells: cells of one width h along each axis.
template <class Real>
struct EvenWidths {
  Real half_inverse_h2[3];  ///< 1/(2 h²) [1/m²]
  Real two_over_h[3];       ///< [1/m]

  /// K/h² of a face within a material, from the sum of both K.
  template <class Entries, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value mean(int axis, int, const Value& both) const {
    return both * broadcast<Value>(half_inverse_h2[axis]);
  }
  /// The same between two materials with a resistance R [m² K/W], 1/(h (h/(2 K⁻) + R + h/(2 K))).
  KOKKOS_FORCEINLINE_FUNCTION Real series(int axis, int, Real lower, Real upper, Real R) const {
    const Real sum = lower + upper + R * (two_over_h[axis] * (lower * upper));
    return lower * upper * reciprocal(sum) * (4 * half_inverse_h2[axis]);
  }
  /// The conductance [W/(m³ K)] as the cells from `index` on see it.
  template <class Entries, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value seen(int, int, const Value& face) const {
    return face;
  }
};

/// Cells with widths of their own: a cell of width h sees 2/h times what it shares with a neighbour
/// of width h⁻, which is (K⁻ + K) / (2 (h⁻ + h)) within a material, and 1/(h⁻/K⁻ + 2 R + h/K)
/// between two.
template <class Real>
struct UnevenWidths {
  /// By the index along each axis, also of some cells beyond the block: h [m], 2/h, and of the
  /// lower face 1/(2 (h⁻ + h)).
  const Real* width[3];
  const Real* two_over_width[3];
  const Real* half_over_both[3];

  /// `index`: of the cells above the face.
  template <class Entries, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value mean(int axis, int index, const Value& both) const {
    return both * Entries::template along<Value>(axis, half_over_both[axis], index);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real series(int axis, int index, Real lower, Real upper,
                                          Real R) const {
    const Real sum = width[axis][index - 1] * upper + width[axis][index] * lower;
    return lower * upper * reciprocal(sum + 2 * R * (lower * upper));
  }
  template <class Entries, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value seen(int axis, int index, const Value& face) const {
    return face * Entries::template along<Value>(axis, two_over_width[axis], index);
  }
};

/// Faces where K depends on the temperature.
template <class Real, class Widths>
struct TabulatedMedium {
  MaterialsView<Real> materials;
  Widths widths;

  /// The materials of the cells of a value.
  template <class Value>
  struct Numbers {
    int of[width_of<Value>];
    friend KOKKOS_FORCEINLINE_FUNCTION bool operator==(const Numbers& one, const Numbers& other) {
      bool all = true;
      HALOTHERM_UNROLL
      for (int n = 0; n < width_of<Value>; ++n) all = all && one.of[n] == other.of[n];
      return all;
    }
  };
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Numbers<Value> numbers(int i, int j, int k) const {
    Numbers<Value> result;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n) result.of[n] = materials.number(i + n, j, k);
    return result;
  }

  /// The same as bytes, loaded at once where packs may be; all 0 if there is one material.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION CellBytes<width_of<Value>> bytes(int i, int j, int k) const {
    if (!materials.has_several()) return {};
    return *reinterpret_cast<const CellBytes<width_of<Value>>*>(&materials.of_cell(i, j, k));
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Numbers<Value> numbers_of(
      const CellBytes<width_of<Value>>& bytes) const {
    Numbers<Value> result;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n)
      result.of[n] = bytes.of(n) < materials.count ? bytes.of(n) : 0;
    return result;
  }

  /// K of isotropic materials [W/(m K)].
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value conductivity(const Value& T,
                                                 const Numbers<Value>& material) const {
    Value K;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n)
      set_lane(K, n, materials.line_at(material.of[n], 0, lane(T, n))(lane(T, n)));
    return K;
  }
  /// K along an axis [W/(m K)]; `recent` is of this axis.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value conductivity(int axis, const Value& T,
                                                 const Numbers<Value>& material,
                                                 RecentLine<Real>& recent) const {
    bool is_recent = recent.line.holds(T);
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n)
      is_recent = is_recent && material.of[n] == recent.material;
    return is_recent ? recent.line(T) : searched_conductivity(axis, T, material, recent);
  }

  /// What the cells beside a face share (Widths::seen); `index` is that of the cells above it.
  /// Within a material it follows from the mean of the two K, which is exact where K is linear in T
  /// (Kirchhoff 1894: the flux is the difference of the integrals of K), between materials from
  /// their resistances in series, as in face_conductance, and that of a contact.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value conductance(int axis, int index, const Numbers<Value>& lower,
                                                const Value& K_lower, const Numbers<Value>& upper,
                                                const Value& K_upper) const {
    const Value both = K_lower + K_upper;
    Value result = widths.template mean<AnyEntries>(axis, index, both);
    if (!(lower == upper)) set_series(axis, index, lower, K_lower, upper, K_upper, result);
    return result;
  }

  /// The faces of the cells from (i, j, k) on; `T` are their temperatures and those around them,
  /// `recent` one line an axis.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> faces_of(const Star<Dim, Value>& T, int i,
                                                                int j, int k,
                                                                RecentLine<Real>* recent) const {
    VaryingFaces<Dim, Value> faces;
    const auto here = numbers<Value>(i, j, k);
    Value K;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      auto& line = recent[axis];
      if (axis == 0 || !materials.isotropic) K = conductivity(axis, T.here, here, line);
      const int d[3] = {axis == 0, axis == 1, axis == 2};
      const int index = axis == 0 ? i : axis == 1 ? j : k;
      const auto below = numbers<Value>(i - d[0], j - d[1], k - d[2]);
      const auto above = numbers<Value>(i + d[0], j + d[1], k + d[2]);
      const Value K_below = conductivity(axis, T.lower[axis], below, line);
      const Value lower = conductance(axis, index, below, K_below, here, K);
      const Value K_above = conductivity(axis, T.upper[axis], above, line);
      const Value upper = conductance(axis, index + 1, here, K, above, K_above);
      faces.lower[axis] = widths.template seen<AnyEntries>(axis, index, lower);
      faces.upper[axis] = widths.template seen<AnyEntries>(axis, index, upper);
    }
    return faces;
  }
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> faces_of(const Star<Dim, Value>& T, int i,
                                                                int j, int k) const {
    RecentLine<Real> recent[Dim];
    return faces_of(T, i, j, k, recent);
  }

  /// Faces of a cell that no temperatures make more conductive.
  template <int Dim>
  KOKKOS_INLINE_FUNCTION VaryingFaces<Dim, Real> largest_faces(int i, int j, int k) const {
    VaryingFaces<Dim, Real> faces;
    set_largest<0>(faces, i, j, k);
    if constexpr (Dim > 1) set_largest<1>(faces, i, j, k);
    if constexpr (Dim > 2) set_largest<2>(faces, i, j, k);
    return faces;
  }

 private:
  template <int Axis, int Dim>
  KOKKOS_INLINE_FUNCTION void set_largest(VaryingFaces<Dim, Real>& faces, int i, int j,
                                          int k) const {
    const int index = Axis == 0 ? i : Axis == 1 ? j : k;
    const auto at = [&](int way) {
      return numbers<Real>(i + (Axis == 0 ? way : 0), j + (Axis == 1 ? way : 0),
                           k + (Axis == 2 ? way : 0));
    };
    const auto largest = [&](const Numbers<Real>& cell) {
      return materials.materials[cell.of[0]].conductivity[Axis].largest;
    };
    const auto below = at(-1), here = at(0), above = at(1);
    faces.lower[Axis] = widths.template seen<AnyEntries>(
        Axis, index, conductance(Axis, index, below, largest(below), here, largest(here)));
    faces.upper[Axis] = widths.template seen<AnyEntries>(
        Axis, index, conductance(Axis, index + 1, here, largest(here), above, largest(above)));
  }
  template <class Value>
  HALOTHERM_CALLED_ON_CPUS Value searched_conductivity(int axis, const Value& T,
                                                       const Numbers<Value>& material,
                                                       RecentLine<Real>& recent) const {
    Value K;
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n)
      set_lane(K, n, materials.conductivity(material.of[n], axis, lane(T, n), recent));
    return K;
  }
  /// Sets the faces between materials.
  template <class Value>
  HALOTHERM_CALLED_ON_CPUS void set_series(int axis, int index, const Numbers<Value>& lower,
                                           const Value& K_lower, const Numbers<Value>& upper,
                                           const Value& K_upper, Value& conductances) const {
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n) {
      const int one = lower.of[n], other = upper.of[n];
      if (one == other) continue;
      const Real R = materials.resistance(one, other);
      const int at = axis == 0 ? index + n : index;
      set_lane(conductances, n, widths.series(axis, at, lane(K_lower, n), lane(K_upper, n), R));
    }
  }
};

}  // namespace halotherm::solver
