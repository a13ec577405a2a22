// SPDX-License-Identifier: MIT
// Several steps of forward Euler in one pass over memory.
#pragma once

#include "solver/kernels/apply.hpp"

#include <span>

namespace halotherm::solver {

/// The most steps that `apply_steps` can take at once. 1 where only `apply` has kernels: in one
/// dimension, beside contacts, and where properties depend on the temperature; on GPUs also
/// where K or the width of cells varies, where the conditions of a side differ from cell to cell,
/// and in three dimensions in blocks of less than 62 rows between two sides.
template <class Real>
int most_steps_at_once(const HeatEquation<Real>& equation, const Boundary<Real>& boundary);

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
