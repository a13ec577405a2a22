// SPDX-License-Identifier: MIT
// The one stencil expression of the program.
#pragma once

#include "solver/field/arithmetic.hpp"

namespace halotherm::solver {

/// A quantity of a cell, or of a pack of cells, and of its neighbours along each axis.
template <int Dim, class Value>
struct Star {
  Value here;
  Value lower[Dim];
  Value upper[Dim];
};

/// div(K grad T) + q of a cell [W/m³], second order: per axis what enters through its two faces, G⁺
/// (T⁺ − T) − G⁻ (T − T⁻) with G = K/h² of the face, added up by `faces`. The difference across a
/// face is the same number for both of its cells, so kernels that compute both form it once.
/// Swapping the ends of an axis swaps the terms and their signs, so fields that are symmetric stay
/// so to the last bit.
template <int Dim, class Faces, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value divergence_of_flux(const Star<Dim, Value>& T, const Faces& faces,
                                                     const Value& source) {
  Value sum = source;
  HALOTHERM_UNROLL
  for (int axis = 0; axis < Dim; ++axis)
    sum = faces.add_flows(axis, T.here - T.lower[axis], T.upper[axis] - T.here, sum);
  return sum;
}

/// Faces of one conductance an axis [W/(m³ K)]. `add_flows` takes the differences across the lower
/// and the upper face, upwards along the axis.
template <class Real>
struct UniformFaces {
  Real conductance[3];

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value add_flows(int axis, const Value& below, const Value& above,
                                              const Value& sum) const {
    return multiply_add(broadcast<Value>(conductance[axis]), above - below, sum);
  }
  /// The sum over both faces of an axis, for cells of type `Value`.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value both(int axis) const {
    return broadcast<Value>(2 * conductance[axis]);
  }
  /// The sum over both faces of an axis, in double precision.
  KOKKOS_FORCEINLINE_FUNCTION double total(int axis) const {
    return 2.0 * static_cast<double>(conductance[axis]);
  }
  /// The lower (0) or upper (1) face of an axis, in double precision.
  KOKKOS_FORCEINLINE_FUNCTION double at(int axis, int) const {
    return static_cast<double>(conductance[axis]);
  }
};

/// Faces with individual conductances [W/(m³ K)]. Both cells of a face use the same number, so heat
/// is conserved to rounding.
template <int Dim, class Value>
struct VaryingFaces {
  Value lower[Dim];
  Value upper[Dim];

  KOKKOS_FORCEINLINE_FUNCTION Value add_flows(int axis, const Value& below, const Value& above,
                                              const Value& sum) const {
    return sum + (upper[axis] * above - lower[axis] * below);
  }
  template <class>
  KOKKOS_FORCEINLINE_FUNCTION Value both(int axis) const {
    return lower[axis] + upper[axis];
  }
  KOKKOS_FORCEINLINE_FUNCTION double total(int axis) const {
    return static_cast<double>(lower[axis]) + static_cast<double>(upper[axis]);
  }
  KOKKOS_FORCEINLINE_FUNCTION double at(int axis, int end) const {
    return static_cast<double>(end == 0 ? lower[axis] : upper[axis]);
  }
};

/// K/h² of the face between two cells of resistivities 1/K [m K/W]: K is the harmonic mean of the
/// two, which makes the flux through layers of different materials exact in one dimension (Patankar
/// 1980, Numerical Heat Transfer and Fluid Flow, eq. 4.9).
template <class Value, class Real>
KOKKOS_FORCEINLINE_FUNCTION Value face_conductance(const Value& one, const Value& other,
                                                   Real two_over_h2) {
  return reciprocal(one + other) * broadcast<Value>(two_over_h2);
}

}  // namespace halotherm::solver
