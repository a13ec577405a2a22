// SPDX-License-Identifier: MIT
// What the cells beside sides have of a solution directly from what is beyond the sides.
#pragma once

#include "solver/linear/separable_matrix.hpp"
#include "solver/multigrid/interpolation.hpp"

namespace halotherm::solver {

/// The part of the solution of A x = b that a correction interpolated from coarse cells lacks where
/// b is made of temperatures beyond sides, since such a correction is linear towards 0 beyond a
/// side: (1 − w) b/g in a cell with the conductance g towards what is beyond its sides and the
/// weight w of its coarse cell, 0 in all other cells. It is exact for temperatures that are linear
/// along the axes and the same beyond all sides of the cell.
struct SidePart {
  LevelGrid grid;
  SeparableView A;
  /// of the coarse cell, in the first and the last cells along each axis
  Kokkos::Array<Kokkos::Array<float, 2>, 3> weights;

  SidePart(const LevelGrid& grid, const SeparableView& A, const Interpolation& interpolation);

  /// From b of the cell.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION float of(float b, int i, int j, int k) const {
    int at[3] = {i, j, k};
    bool beside = false;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      if (grid.periodic[axis]) {
        at[axis] = (at[axis] + grid.cells[axis]) % grid.cells[axis];
        continue;
      }
      if (at[axis] < 0 || at[axis] >= grid.cells[axis]) return 0;
      beside = beside || at[axis] == 0 || at[axis] == grid.cells[axis] - 1;
    }
    if (!beside) return 0;
    const auto conductances = A.template around<Dim>(at[0], at[1], at[2]);
    float g = 0, w = 1;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      if (grid.periodic[axis]) continue;
      if (at[axis] == 0) {
        g = g + conductances.lower[axis];
        w = w * weights[axis][0];
      }
      if (at[axis] == grid.cells[axis] - 1) {
        g = g + conductances.upper[axis];
        w = w * weights[axis][1];
      }
    }
    return g > 0 ? (1 - w) * b / g : 0.0F;
  }
};

/// Takes the side part x out of A x = b: target = x in cells near sides, and b = b − A x. Reads one
/// layer of ghost cells of b, edges and corners included; `scratch` is overwritten. Asynchronous on
/// `space`.
void take_out(const comm::Space& space, const comm::Box& owned, const SidePart& part,
              Field<float>& b, Field<float>& scratch, const comm::GridView<float>& target);
/// The same, but values += factor · x. Instantiated for float and double.
template <class Real>
void take_out_onto(const comm::Space& space, const comm::Box& owned, const SidePart& part,
                   Field<float>& b, Field<float>& scratch, double factor,
                   const comm::GridView<Real>& values);
/// x += the side part that was taken out.
void put_back(const comm::Space& space, const comm::Box& owned, const LevelGrid& grid,
              const comm::GridView<const float>& part, const comm::GridView<float>& x);

}  // namespace halotherm::solver
