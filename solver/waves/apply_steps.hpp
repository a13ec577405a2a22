// SPDX-License-Identifier: MIT
// Several steps of forward Euler after one exchange.
#pragma once

#include "solver/kernels/apply.hpp"

#include <span>
#include <vector>

namespace halotherm::solver {

/// The most steps that `apply_steps` can take at once. 1 where only `apply` has kernels: in one
/// dimension, beside contacts, and where properties depend on the temperature; on GPUs also
/// where K or the width of cells varies, but for two steps in three dimensions on even grids among
/// cells of few kinds (HeatEquation::kinds), where the conditions of a side differ from cell to
/// cell, and in three dimensions in blocks of less than 62 rows between two sides.
template <class Real>
int most_steps_at_once(const HeatEquation<Real>& equation, const Boundary<Real>& boundary);

/// Whether a block can take steps in its ghost cells as well, so that several follow one exchange:
/// not in one dimension, not beside contacts, and not where properties depend on the temperature.
/// The conditions of each side have to be equal in all blocks.
template <class Real>
bool can_step_in_ghosts(const HeatEquation<Real>& equation);

/// For `apply`: where to take so many steps one after another, each from the result of the one
/// before, so that the last gives the cells of the box. Each region is a layer smaller than the one
/// before where other blocks adjoin.
template <class Real>
std::vector<comm::Region> regions_of_steps(const comm::Box& box, const EulerStep<Real>& step,
                                           int steps);

/// out = as many steps of `step` from `in` on these boxes, to the last bit what `apply` gives step
/// by step. Asynchronous on `space`. Cells within `steps` of the boxes are read, and the sides and
/// sources are those of `step` in each of them; at a side whose conditions differ from cell to cell
/// the boxes may have no other block beside them. The second form takes the proof that ghost cells
/// are current. Instantiated for float and double.
template <class Real>
void apply_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                 const EulerStep<Real>& step, int steps, const comm::GridView<const Real>& in,
                 const comm::GridView<Real>& out);
template <class Real>
void apply_steps(const comm::Space& space, std::span<const comm::Box> boxes,
                 const EulerStep<Real>& step, int steps, const comm::Ghosted<Real>& in,
                 const comm::GridView<Real>& out) {
  apply_steps(space, boxes, step, steps, in.view(), out);
}

}  // namespace halotherm::solver
