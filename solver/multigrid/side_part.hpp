// SPDX-License-Identifier: MIT
// What the cells beside sides have of a solution directly from what is beyond the sides.
#pragma once

#include "solver/linear/separable_matrix.hpp"
#include "solver/multigrid/interpolation.hpp"

namespace halotherm::solver {

/// The part of the solution of A x = b that a correction interpolated from coarse cells lacks where
/// b is made of temperatures beyond sides, since such a correction is linear towards 0 beyond a
/// side: (1 − w) b/g in a cell with the conductance g towards what is beyond its sides and the
/// weight w of its coarse cell. Where three cells are joined, the middle one may lie between the
/// centre and the side, too, and takes b/g of the last. In all other cells it is 0. It is exact for
/// temperatures that are linear along the axes and the same beyond all sides of the cell.
struct SidePart {
  LevelGrid grid;
  SeparableView A;
  /// The weights of the coarse cell in the first cell along an axis, the last and the last but one.
  struct Weights {
    float first = 1, last = 1, last_but_one = 1;
  };
  Kokkos::Array<Weights, 3> weights;

  SidePart(const Coarsening& coarsening, const SeparableView& A,
           const Interpolation& interpolation);

  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION float of(const comm::GridView<const float>& b, int i, int j,
                                       int k) const {
    int source[3] = {i, j, k};  // the cell at the sides
    float w = 1;
    bool beside = false;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      if (grid.periodic[axis]) continue;
      const int at = source[axis], last = grid.cells[axis] - 1;
      if (at < 0 || at > last) return 0;
      if (at == 0) w = w * weights[axis].first;
      if (at == last) w = w * weights[axis].last;
      const bool middle = at == last - 1 && weights[axis].last_but_one < 1;
      if (middle) {
        w = w * weights[axis].last_but_one;
        ++source[axis];
      }
      beside = beside || at == 0 || at == last || middle;
    }
    if (!beside) return 0;
    const float g = conductance<Dim>(source);
    return g > 0 ? (1 - w) * b(source[0], source[1], source[2]) / g : 0.0F;
  }

 private:
  /// From a cell to what is beyond its sides.
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION float conductance(const int* cell) const {
    int at[3] = {cell[0], cell[1], cell[2]};
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      if (grid.periodic[axis]) at[axis] = (at[axis] + grid.cells[axis]) % grid.cells[axis];
    }
    const auto conductances = A.template around<Dim>(at[0], at[1], at[2]);
    float g = 0;
    HALOTHERM_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      if (grid.periodic[axis]) continue;
      if (at[axis] == 0) g = g + conductances.lower[axis];
      if (at[axis] == grid.cells[axis] - 1) g = g + conductances.upper[axis];
    }
    return g;
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
