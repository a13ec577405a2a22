// SPDX-License-Identifier: MIT
// Operators of the heat equation, applied to a field on a part of a block.
#pragma once

#include "comm/device/for_each_cell.hpp"
#include "comm/halo/ghosted.hpp"
#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/equation/boundary.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// A step of forward Euler: T + dt/(rho c) (div(K grad T) + q) [K]. Refers to its parts.
template <class Real>
struct EulerStep {
  const HeatEquation<Real>& equation;
  const Boundary<Real>& boundary;
  double dt;  ///< [s]
  /// accumulators of an instrumented step; null for a plain one
  AccumulatorBoard<Real>* board = nullptr;
};

/// A later stage of a step, from Y_0, the temperature before the step, and earlier stages: Y_0 +
/// input (Y − Y_0) + older (Y_older − Y_0) + first (Y_1 − Y_0) + dt/(rho c) (div(K grad Y) + q)
/// [K]. May write Y_0 or Y_older. Refers to its parts.
template <class Real>
struct RungeKuttaStage {
  const HeatEquation<Real>& equation;
  const Boundary<Real>& boundary;
  double dt;  ///< with the stage's weight [s]
  double input, older, first;
  comm::GridView<const Real> start;  ///< Y_0
  comm::GridView<const Real> older_field;
  comm::GridView<const Real> first_field;  ///< Y_1
  /// accumulators of an instrumented stage, the last of a step; null for a plain one
  AccumulatorBoard<Real>* board = nullptr;
};

/// The residual of the steady equation: div(K grad T) + q [W/m³]. Refers to its parts.
template <class Real>
struct Residual {
  const HeatEquation<Real>& equation;
  const Boundary<Real>& boundary;
};

/// A weighted Jacobi sweep for the steady equation: T + weight · residual / D [K], where D is the
/// sum of K/h² over the faces of a cell [W/(m³ K)], physical sides counted like faces between
/// cells. Refers to its parts.
template <class Real>
struct Jacobi {
  const HeatEquation<Real>& equation;
  const Boundary<Real>& boundary;
  double weight = 2.0 / 3;
};

/// out = op(in) on `region`, for the operators above of float and double. Asynchronous on `space`.
/// Physical sides are part of the operator: beyond them no cell is read. The fields of an operator
/// have the layout of `in`.
///
/// The first form is for cells whose stencil reads no ghost cell that an exchange fills. The second
/// takes the proof that the exchange is finished and may work on any cell of the block. Both, and
/// all operators, evaluate the same expression, so a cell's value does not depend on which form
/// computed it, nor on the region's tile.
template <template <class> class Operator, class Real>
void apply(const comm::Space& space, const comm::Region& region, const Operator<Real>& op,
           const comm::GridView<const Real>& in, const comm::GridView<Real>& out);
template <template <class> class Operator, class Real>
void apply(const comm::Space& space, const comm::Region& region, const Operator<Real>& op,
           const comm::Ghosted<Real>& in, const comm::GridView<Real>& out) {
  apply(space, region, op, in.view(), out);
}

}  // namespace halotherm::solver
