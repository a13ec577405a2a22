// SPDX-License-Identifier: MIT
// Faces and heat of cells that are of few kinds, in kernels.
#pragma once

#include "solver/field/field.hpp"
#include "solver/medium/cell_bytes.hpp"
#include "solver/medium/spacing.hpp"

namespace halotherm::solver {

/// How cells of a kind heat up.
template <class Real>
struct alignas(2 * sizeof(Real)) KindHeat {
  Real inverse_capacity;  ///< 1/(rho c) [m³ K/J]
  Real source;            ///< q [W/m³]
};

/// Reads both by one instruction.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION KindHeat<Real> load_heat(const KindHeat<Real>* from) {
#if defined(__CUDA_ARCH__)
  using Bits = std::conditional_t<sizeof(Real) == 8, int4, int2>;
  const Bits bits = __ldg(reinterpret_cast<const Bits*>(from));
  KindHeat<Real> heat;
  memcpy(&heat, &bits, sizeof heat);
  return heat;
#else
  return *from;
#endif
}

/// Faces of an even grid by the kinds of both cells: no arithmetic.
template <class Real>
struct KindsMedium {
  comm::GridView<const std::uint8_t> of_cell;
  int count;             ///< of kinds
  const Real* faces[3];  ///< by axis, of each pair of kinds [W/(m³ K)]
  EvenSpacing<Real> spacing;

  /// The lower faces across an axis of the cells from (i, j, k) on.
  template <int Axis, class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value lower_face(int i, int j, int k) const {
    return look_up<Value>(faces[Axis], count,
                          &of_cell(i - (Axis == 0), j - (Axis == 1), k - (Axis == 2)),
                          &of_cell(i, j, k));
  }
  /// The faces of the cells from (i, j, k) on.
  template <int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Value> faces_of(const Star<Dim, Value>&, int i,
                                                                int j, int k) const {
    VaryingFaces<Dim, Value> result;
    set_faces<0>(result, i, j, k);
    if constexpr (Dim > 1) set_faces<1>(result, i, j, k);
    if constexpr (Dim > 2) set_faces<2>(result, i, j, k);
    return result;
  }
  /// Faces of a cell that no temperatures make more conductive.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION VaryingFaces<Dim, Real> largest_faces(int i, int j, int k) const {
    return faces_of(Star<Dim, Real>{}, i, j, k);
  }

 private:
  template <int Axis, int Dim, class Value>
  KOKKOS_FORCEINLINE_FUNCTION void set_faces(VaryingFaces<Dim, Value>& result, int i, int j,
                                             int k) const {
    result.lower[Axis] = lower_face<Axis, Value>(i, j, k);
    result.upper[Axis] = lower_face<Axis, Value>(i + (Axis == 0), j + (Axis == 1), k + (Axis == 2));
  }
};

}  // namespace halotherm::solver
