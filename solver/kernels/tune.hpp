// SPDX-License-Identifier: MIT
// Finds the fastest tile by trial.
#pragma once

#include "solver/kernels/apply.hpp"

namespace halotherm::solver {

struct TunedTile {
  comm::Tile tile;
  double step_seconds = 0;  ///< time of the region with it [s]
  int tried = 0;
};

/// Takes steps with every tile that is worth trying, in turns, until `budget` [s] is used up, and
/// keeps the fastest. `next` is overwritten, `temperature` is only read; its ghost cells need not
/// be current. Blocking; not collective.
template <class Real>
TunedTile tune(const comm::Space& space, comm::Region region, const EulerStep<Real>& step,
               const comm::GridView<const Real>& temperature, const comm::GridView<Real>& next,
               double budget);

}  // namespace halotherm::solver
