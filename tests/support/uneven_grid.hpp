// SPDX-License-Identifier: MIT
// Grids for tests whose cells differ in width.
#pragma once

#include "solver/field/grid.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace halotherm::test {

/// Divides the grid from 0 to 1 along each axis into cells that change smoothly in width, from a
/// tenth wider than even ones to a tenth narrower.
inline void make_uneven(solver::Grid& grid) {
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    std::vector<double> faces;
    for (int i = 0; i <= grid.cells[axis]; ++i) {
      const double at = static_cast<double>(i) / grid.cells[axis];
      faces.push_back(at + 0.1 * at * (1 - at));
    }
    grid.faces[static_cast<std::size_t>(axis)] =
        std::make_shared<const std::vector<double>>(std::move(faces));
  }
}

}  // namespace halotherm::test
