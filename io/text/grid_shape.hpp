// SPDX-License-Identifier: MIT
// What a file needs to know of the grid.
#pragma once

#include "comm/partition/box.hpp"

#include <array>

namespace halotherm::io {

/// The global grid as files describe it. Arrays in files have the axes in the order (z, y, x), x
/// fastest, and only the first `dimensions` axes: a 2-D grid's data set has the shape (ny, nx). A
/// block of cells in memory has the same order, without ghosts.
struct GridShape {
  int dimensions = 3;
  comm::Int3 cells{1, 1, 1};
  std::array<double, 3> lower{0, 0, 0};    ///< [m]
  std::array<double, 3> spacing{1, 1, 1};  ///< [m]
};

}  // namespace halotherm::io
