// SPDX-License-Identifier: MIT
// From temperatures to what a multigrid cycle begins with, in one pass over memory: the residual,
// rounded to float, and its sums over joined cells.
#pragma once

#include "solver/equation/boundary.hpp"
#include "solver/linear/vectors.hpp"
#include "solver/multigrid/coarsening.hpp"

namespace halotherm::solver {

/// What is left of an equation at T: div(K grad T) + q, by the operator of explicit steps, and the
/// mass of an implicit step if its rate is above 0. Refers to its parts.
template <class Real>
struct RoundedResidual {
  const HeatEquation<Real>& equation;
  const Boundary<Real>& boundary;
  comm::GridView<const Real> T;  ///< with valid ghost cells
  StepMass<Real> mass;
  Rounding<Real> rounding;
};

/// Whether `round_restrict_and_sum` of a residual works on a block: on GPUs, where K is one number
/// along each axis and the block consists of pairs along three axes. On CPUs arithmetic bounds the
/// pass, and one after the other is faster.
template <class Real>
bool restricts_residuals(const HeatEquation<Real>& equation, const Coarsening& coarsening,
                         const comm::Box& owned);

/// `fine` = the rounded residual; `coarse` = its sums over joined cells; the sum of its squares:
/// bit by bit what the residual, its mass, and round_restrict_and_sum of restriction.hpp make one
/// after the other. Blocking. Instantiated for float and double.
template <class Real>
ProductSum round_restrict_and_sum(const comm::Space& space, const comm::Box& owned,
                                  const RoundedResidual<Real>& residual,
                                  const comm::GridView<float>& fine,
                                  const comm::GridView<float>& coarse, const SumScale& scale);

}  // namespace halotherm::solver
