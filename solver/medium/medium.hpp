// SPDX-License-Identifier: MIT
// The coefficients of the equation in kernels: the conductances of faces, and the heat of cells.
#pragma once

#include "solver/field/field.hpp"
#include "solver/medium/cell_value.hpp"
#include "solver/medium/kinds_medium.hpp"
#include "solver/medium/spacing.hpp"
#include "solver/medium/stored_medium.hpp"
#include "solver/medium/tabulated_medium.hpp"

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
      faces.lower[axis] = AnyEntries::along<Value>(axis, lower[axis], index);
      faces.upper[axis] = AnyEntries::along<Value>(axis, upper[axis], index);
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

  /// What the cells from (i, j, k) on share with those below them across an axis.
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value lower_face(int i, int j, int k) const {
    return spacing.face(Axis, resistance<Axis, Value>(-1, i, j, k),
                        resistance<Axis, Value>(0, i, j, k));
  }
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
  /// Of the cells so many beyond (i, j, k) along an axis.
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value resistance(int way, int i, int j, int k) const {
    const Real* cell =
        &resistivity[Axis](i + way * (Axis == 0), j + way * (Axis == 1), k + way * (Axis == 2));
    return spacing.resistance(Axis,
                              (Axis == 0   ? i
                               : Axis == 1 ? j
                                           : k) +
                                  way,
                              load_unaligned<Value>(cell));
  }
  template <int Axis, int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void set_faces(VaryingFaces<Dim, Value>& faces, int i, int j,
                                             int k) const {
    const int index = Axis == 0 ? i : Axis == 1 ? j : k;
    const auto resistance = [&](int way) {
      return this->template resistance<Axis, Value>(way, i, j, k);
    };
    const Value here = resistance(0);
    faces.lower[Axis] = spacing.seen(Axis, index, spacing.face(Axis, resistance(-1), here));
    faces.upper[Axis] = spacing.seen(Axis, index, spacing.face(Axis, here, resistance(1)));
  }
};

template <class Real>
using Medium =
    std::variant<UniformMedium<Real>, VaryingMedium<Real, EvenSpacing<Real>>, StretchedMedium<Real>,
                 VaryingMedium<Real, UnevenSpacing<Real>>, TabulatedMedium<Real, EvenWidths<Real>>,
                 TabulatedMedium<Real, UnevenWidths<Real>>, StoredMedium<Real, EvenSpacing<Real>>,
                 StoredMedium<Real, UnevenSpacing<Real>>, KindsMedium<Real>>;

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
  /// rho c of a cell at T [J/(m³ K)].
  KOKKOS_FORCEINLINE_FUNCTION double capacity(Real T, int i, int j, int k) const {
    if (!tabulated()) return 1 / static_cast<double>(inverse_capacity(i, j, k));
    return static_cast<double>(materials.at(i, j, k).heat_capacity(T));
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
