// SPDX-License-Identifier: MIT
// How the widths of cells enter the conductances of their faces, where K varies from cell to cell.
#pragma once

#include "solver/medium/stencil.hpp"

namespace halotherm::solver {

/// Entries by index of the cells from `index` on along an axis: cells in a pack follow x, and may
/// begin at any index,
struct AnyEntries {
  template <class Value, class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Value along(int axis, const Real* entries, int index) {
    return axis == 0 ? load_unaligned<Value>(entries + index) : broadcast<Value>(entries[index]);
  }
};
/// or where a pack is loaded at once.
struct AlignedEntries {
  template <class Value, class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Value along(int axis, const Real* entries, int index) {
    return axis == 0 ? load<Value>(entries + index) : broadcast<Value>(load<Real>(entries + index));
  }
};

/// Cells of one width h along each axis: a face has the conductance 2 / (h² (r⁻ + r)).
template <class Real>
struct EvenSpacing {
  Real two_over_h2[3];  ///< [1/m²]

  /// What cells of a resistivity r [m K/W] add to the resistance of their faces across an axis.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value resistance(int, int, const Value& r) const {
    return r;
  }
  /// Of the face between two cells of these resistances; the same for both.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value face(int axis, const Value& one, const Value& other) const {
    return face_conductance(one, other, two_over_h2[axis]);
  }
  /// The conductance of a face [W/(m³ K)] as the cells from `index` on see it.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value seen(int, int, const Value& face) const {
    return face;
  }
};

/// Cells with widths h of their own: a face has the conductance 2 / (h (h⁻ r⁻ + h r)) towards a
/// neighbour of width h⁻. Both cells share the sum, so they see the same flux, which is exact
/// through layers.
template <class Real>
struct UnevenSpacing {
  /// By the index along each axis, also of some cells beyond the block: h [m] and 2/h.
  const Real* width[3];
  const Real* two_over_width[3];

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value resistance(int axis, int index, const Value& r) const {
    return AnyEntries::along<Value>(axis, width[axis], index) * r;
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value face(int, const Value& one, const Value& other) const {
    return reciprocal(one + other);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value seen(int axis, int index, const Value& face) const {
    return face * AnyEntries::along<Value>(axis, two_over_width[axis], index);
  }
};

}  // namespace halotherm::solver
