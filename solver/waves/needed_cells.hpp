// SPDX-License-Identifier: MIT
// The cells that several steps depend on.
#pragma once

#include "solver/equation/sides.hpp"

#include <algorithm>

namespace halotherm::solver {

/// The cells from which so many steps give those of the box: so many layers more along the first
/// axes wherever other blocks adjoin, since no cell lies beyond a side.
template <class Real>
comm::Box needed_cells(comm::Box box, const Sides<Real>& sides, int dimensions, int steps) {
  for (int axis = 0; axis < dimensions; ++axis) {
    box.lower[axis] -= steps;
    box.upper[axis] += steps;
    const auto& side = sides.condition[axis];
    if (side[0].present) box.lower[axis] = std::max(box.lower[axis], sides.owned.lower[axis]);
    if (side[1].present) box.upper[axis] = std::min(box.upper[axis], sides.owned.upper[axis]);
  }
  return box;
}

}  // namespace halotherm::solver
