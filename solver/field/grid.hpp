// SPDX-License-Identifier: MIT
// The uniform Cartesian grid.
#pragma once

#include "comm/partition/box.hpp"

#include <array>
#include <optional>

namespace halotherm::solver {

/// Cells of equal size between two corners; temperatures live at the cells' centres. Axes beyond
/// `dimensions` have one cell, no ghosts and take no part in the equation; a cell is then 1 m thick
/// along them, so that volumes and heat contents have SI units.
struct Grid {
  int dimensions = 3;
  comm::Int3 cells{1, 1, 1};
  std::array<double, 3> lower{0, 0, 0};  ///< [m]
  std::array<double, 3> upper{1, 1, 1};  ///< [m]

  /// [m]
  double spacing(int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return (upper[a] - lower[a]) / cells[axis];
  }
  /// [m³]
  double cell_volume() const { return spacing(0) * spacing(1) * spacing(2); }
  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }

  /// Coordinate of the centre of cell `index` along an axis [m]. Depends on the global index only,
  /// so it is the same on every rank.
  double centre(int axis, int index) const {
    return lower[static_cast<std::size_t>(axis)] + (index + 0.5) * spacing(axis);
  }

  /// The grid with cells `factors` times as large along each axis; nothing if a factor does not
  /// divide the number of cells.
  std::optional<Grid> coarsened(const comm::Int3& factors) const {
    Grid coarse = *this;
    for (int axis = 0; axis < 3; ++axis) {
      if (cells[axis] % factors[axis] != 0) return std::nullopt;
      coarse.cells[axis] = cells[axis] / factors[axis];
    }
    return coarse;
  }

  /// Ghost cells on each side of a block, per axis.
  comm::Int3 ghosts(int width) const {
    return {width, dimensions > 1 ? width : 0, dimensions > 2 ? width : 0};
  }
};

}  // namespace halotherm::solver
