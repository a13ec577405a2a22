// SPDX-License-Identifier: MIT
// One step of forward Euler on a part of a block.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "comm/halo/ghosted.hpp"
#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// The inputs of a step besides temperatures. Refers to its parts.
template <class Real>
struct Step {
  const HeatEquation<Real>& equation;
  const Boundary<Real>& boundary;
  double dt;  ///< [s]
  /// accumulators of an instrumented step; null for a plain one
  AccumulatorBoard<Real>* instrument = nullptr;
};

/// next = T + dt/(rho c) (div(K grad T) + q) [K] on `region`. Asynchronous on `space`. Physical
/// sides are part of the step: beyond them no cell is read.
///
/// The first form is for cells whose stencil reads no ghost cell that an exchange fills. The second
/// takes the proof that the exchange is finished and may work on any cell of the block. Both
/// evaluate the same expression, so a cell's new temperature does not depend on which of them
/// computed it, nor on the region's tile.
template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const Step<Real>& step,
             const comm::GridView<const Real>& temperature, const comm::GridView<Real>& next);
template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const Step<Real>& step,
             const comm::Ghosted<Real>& temperature, const comm::GridView<Real>& next);

}  // namespace halotherm::solver
