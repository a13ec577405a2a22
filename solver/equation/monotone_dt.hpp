// SPDX-License-Identifier: MIT
// How long a step may be without making new extremes.
#pragma once

#include "solver/equation/heat_equation.hpp"
#include "solver/equation/sides.hpp"

namespace halotherm::solver {

/// The largest monotone step of forward Euler on this block [s]: min over cells of rho c / sum over
/// faces of w K/h², where w is 1, but max(1, 1 - alpha) at a face of `sides` whose ghost is alpha T
/// + beta: 2 for a fixed temperature. Without a source the new temperature of a cell is then a
/// mean, with weights that are not negative, of old ones and of those that the sides impose, so
/// none leaves their range (the discrete maximum principle, e.g. Hundsdorfer & Verwer 2003,
/// Numerical Solution of Time-Dependent Advection-Diffusion-Reaction Equations, I.7). Never above
/// `equation.stable_dt`. A run takes the smallest over the ranks.
template <class Real>
double monotone_dt(const HeatEquation<Real>& equation, const Sides<Real>& sides);

/// The same of an equation whose properties depend on the temperature, with the largest K and the
/// smallest rho c of `limits`, its materials within a range of temperatures.
template <class Real>
double monotone_dt(const HeatEquation<Real>& equation, const Sides<Real>& sides,
                   const MaterialsView<Real>& limits);

}  // namespace halotherm::solver
