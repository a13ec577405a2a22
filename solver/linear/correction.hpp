// SPDX-License-Identifier: MIT
// Corrections of a temperature whose heat content is not linear in it.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/partition/box.hpp"
#include "solver/equation/heat_equation.hpp"

namespace halotherm::solver {

/// T = from + factor · x. With `by_heat`, and rho c that depends on the temperature, each cell
/// takes the smaller change of two, that one, and the one by the heat that rho c(from) predicts for
/// it: a cell that begins to melt stops within the melting range, and one that ends does not go far
/// beyond (Forsyth, Wu & Pruess 1995, Adv. Water Resour. 18, substitute the primary variable
/// likewise). Asynchronous on `space`. Instantiated for float and double.
template <class Real>
void take_correction(const comm::Space& space, const comm::Box& owned,
                     const HeatEquation<Real>& equation, bool by_heat, double factor,
                     const comm::GridView<const float>& x, const comm::GridView<const Real>& from,
                     const comm::GridView<Real>& T);

}  // namespace halotherm::solver
