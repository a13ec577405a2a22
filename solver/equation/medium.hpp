// SPDX-License-Identifier: MIT
// The coefficients of the equation in kernels: the conductances of faces, and the heat of cells.
#pragma once

#include "solver/equation/cell_value.hpp"
#include "solver/equation/spacing.hpp"
#include "solver/equation/stored_medium.hpp"
#include "solver/field/field.hpp"
#include "solver/material/materials.hpp"

#include <variant>

namespace halotherm::solver {

/// Faces where K is the same everywhere along an axis.
template <class Real>
struct UniformMedium {
  UniformFaces<Real> faces;

  /// The faces of the cells from (i, j, k) on; `T` are their temperatures and those around them.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION UniformFaces<Real> faces_of(const Star<Dim, Value>&, int, int,
                                                          int) const {
    return faces;
  }
  /// Faces of a cell that no temperatures make more conductive.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION UniformFaces<Real> largest_faces(int, int, int) const {
    return faces;
  }
};

/// Faces of a grid with cells of different widths, where K is the same everywhere along an axis.
template <class Real>
struct StretchedMedium {
  /// By the index along each axis, also of some cells beyond the block: the conductances of a
  /// cell's faces [W/(m³ K)].
  const Real* lower[3];
  const Real* upper[3];

  /// The faces of the cells from (i, j, k) on.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> faces_of(const Star<Dim, Value>&, int i,
                                                                int j, int k) const {
    VaryingFaces<Dim, Value> faces;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      const int index = axis == 0 ? i : axis == 1 ? j : k;
      faces.lower[axis] = entries_along<Value>(axis, lower[axis], index);
      faces.upper[axis] = entries_along<Value>(axis, upper[axis], index);
    }
    return faces;
  }
  /// Faces of a cell that no temperatures make more conductive.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Real> largest_faces(int i, int j, int k) const {
    return faces_of(Star<Dim, Real>{}, i, j, k);
  }
};

/// Faces where K varies, formed from the cells' resistivities 1/K.
template <class Real, class Spacing>
struct VaryingMedium {
  /// [m K/W]; the same view thrice where K is isotropic
  comm::GridView<const Real> resistivity[3];
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
    const auto resistance = [&](int way) {
      const auto r =
          load_unaligned<Value>(&resistivity[Axis](i + way * d[0], j + way * d[1], k + way * d[2]));
      return spacing.resistance(Axis, index + way, r);
    };
    const Value here = resistance(0);
    faces.lower[Axis] = spacing.seen(Axis, index, spacing.face(Axis, resistance(-1), here));
    faces.upper[Axis] = spacing.seen(Axis, index, spacing.face(Axis, here, resistance(1)));
  }
};

/// Faces where K depends on the temperature.
template <class Real>
struct TabulatedMedium {
  MaterialsView<Real> materials;
  Real half_inverse_h2[3];  ///< 1/(2 h²) [1/m²]

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

  /// K along an axis [W/(m K)]; `recent` is of this axis, or of any if K is isotropic.
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

  /// K/h² of a face between two cells [W/(m³ K)]: within a material the mean of the two K, which is
  /// exact where K is linear in T (Kirchhoff 1894: the flux is the difference of the integrals of
  /// K), between materials the harmonic mean, as in face_conductance.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value conductance(int axis, const Numbers<Value>& one,
                                                const Value& K_one, const Numbers<Value>& other,
                                                const Value& K_other) const {
    const Value both = K_one + K_other;
    Value result = both * broadcast<Value>(half_inverse_h2[axis]);
    if (!(one == other)) set_harmonic(axis, one, K_one, other, K_other, result);
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
      auto& line = recent[materials.isotropic ? 0 : axis];
      if (axis == 0 || !materials.isotropic) K = conductivity(axis, T.here, here, line);
      const int d[3] = {axis == 0, axis == 1, axis == 2};
      const auto below = numbers<Value>(i - d[0], j - d[1], k - d[2]);
      const auto above = numbers<Value>(i + d[0], j + d[1], k + d[2]);
      faces.lower[axis] =
          conductance(axis, here, K, below, conductivity(axis, T.lower[axis], below, line));
      faces.upper[axis] =
          conductance(axis, here, K, above, conductivity(axis, T.upper[axis], above, line));
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
    for (int axis = 0; axis < Dim; ++axis) {
      const auto here = numbers<Real>(i, j, k);
      const auto largest_of = [&](const Numbers<Real>& cell) {
        return materials.materials[cell.of[0]].conductivity[axis].largest;
      };
      const auto largest = [&](int way) {
        const auto other =
            numbers<Real>(i + way * (axis == 0), j + way * (axis == 1), k + way * (axis == 2));
        return conductance(axis, here, largest_of(here), other, largest_of(other));
      };
      faces.lower[axis] = largest(-1);
      faces.upper[axis] = largest(1);
    }
    return faces;
  }

 private:
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
  HALOTHERM_CALLED_ON_CPUS void set_harmonic(int axis, const Numbers<Value>& one,
                                             const Value& K_one, const Numbers<Value>& other,
                                             const Value& K_other, Value& conductances) const {
    HALOTHERM_UNROLL
    for (int n = 0; n < width_of<Value>; ++n) {
      if (one.of[n] == other.of[n]) continue;
      const Real one_K = lane(K_one, n), other_K = lane(K_other, n);
      set_lane(conductances, n,
               one_K * other_K * reciprocal(one_K + other_K) * (4 * half_inverse_h2[axis]));
    }
  }
};

template <class Real>
using Medium =
    std::variant<UniformMedium<Real>, VaryingMedium<Real, EvenSpacing<Real>>, StretchedMedium<Real>,
                 VaryingMedium<Real, UnevenSpacing<Real>>, TabulatedMedium<Real>,
                 StoredMedium<Real, EvenSpacing<Real>>, StoredMedium<Real, UnevenSpacing<Real>>>;

/// Heat per volume in kernels, from 0 K.
template <class Real>
struct HeatContent {
  CellValue<Real> inverse_capacity;  ///< 1/(rho c) [m³ K/J], of a medium without tables
  MaterialsView<Real> materials;     ///< of one with tables

  KOKKOS_FORCEINLINE_FUNCTION bool tabulated() const { return materials.count > 0; }
  /// Whether it is not one multiple of the temperature everywhere.
  KOKKOS_FORCEINLINE_FUNCTION bool varies() const { return inverse_capacity.varies || tabulated(); }
  /// Of a cell at T [K]; [J/m³].
  KOKKOS_FORCEINLINE_FUNCTION double operator()(double T, int i, int j, int k) const {
    if (!tabulated()) return T / static_cast<double>(inverse_capacity(i, j, k));
    return static_cast<double>(materials.at(i, j, k).heat_capacity.integral(static_cast<Real>(T)));
  }
  /// What a cell takes up from one temperature to another [K]; [J/m³].
  KOKKOS_FORCEINLINE_FUNCTION double between(double from, double to, int i, int j, int k) const {
    if (!tabulated()) return (to - from) / static_cast<double>(inverse_capacity(i, j, k));
    return static_cast<double>(materials.at(i, j, k).heat_capacity.integral_between(
        static_cast<Real>(from), static_cast<Real>(to)));
  }
  /// The largest 1/(rho c) that a cell can have [m³ K/J].
  KOKKOS_FORCEINLINE_FUNCTION double largest_inverse(int i, int j, int k) const {
    if (!tabulated()) return static_cast<double>(inverse_capacity(i, j, k));
    return 1.0 / static_cast<double>(materials.at(i, j, k).heat_capacity.smallest);
  }
  /// Whether a cell is no part of the body: its heat capacity is so large, or infinite, that it
  /// keeps its temperature. Void cells count in no sum and no extreme.
  KOKKOS_FORCEINLINE_FUNCTION bool is_void(int i, int j, int k) const {
    constexpr double void_inverse = 1e-29;  // [m³ K/J]
    return varies() && largest_inverse(i, j, k) <= void_inverse;
  }
};

}  // namespace halotherm::solver
