// SPDX-License-Identifier: MIT
// One step of forward Euler on a part of a block.
#pragma once

#include "comm/for_each_cell.hpp"
#include "comm/halo_exchange.hpp"
#include "solver/heat_equation.hpp"

namespace halotherm::solver {

/// next = T + dt/(rho c) (div(K grad T) + q) [K] on `region`. Asynchronous on `space`. dt in s.
///
/// The first form is for cells whose stencil reads no ghost cell that an exchange fills; physical ghost cells must be current. The
/// second takes the proof that the exchange is finished and may work on any cell of the block. Both evaluate the same expression,
/// so a cell's new temperature does not depend on which of them computed it.
template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const HeatEquation<Real>& equation, double dt,
             const comm::GridView<const Real>& temperature, const comm::GridView<Real>& next);
template <class Real>
void diffuse(const comm::Space& space, const comm::Region& region, const HeatEquation<Real>& equation, double dt,
             const comm::Ghosted<Real>& temperature, const comm::GridView<Real>& next);

}  // namespace halotherm::solver
