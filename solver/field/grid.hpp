// SPDX-License-Identifier: MIT
// The Cartesian grid.
#pragma once

#include "comm/partition/box.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace halotherm::solver {

/// Cells between two corners, of equal width along even axes, with widths of their own along
/// others; temperatures live at the cells' centres. Axes beyond `dimensions` have one cell, no
/// ghosts and take no part in the equation; a cell is then 1 m thick along them, so that volumes
/// and heat contents have SI units.
struct Grid {
  int dimensions = 3;
  comm::Int3 cells{1, 1, 1};
  std::array<double, 3> lower{0, 0, 0};  ///< [m]
  std::array<double, 3> upper{1, 1, 1};  ///< [m]
  /// Faces between `lower` and `upper`, one more than cells, in ascending order [m]; none of an
  /// even axis. Shared by copies of the grid.
  std::array<std::shared_ptr<const std::vector<double>>, 3> faces{};
  /// Axes that are not even and whose two ends adjoin each other.
  std::array<bool, 3> periodic{false, false, false};

  bool even(int axis) const { return faces[static_cast<std::size_t>(axis)] == nullptr; }
  bool even() const { return even(0) && even(1) && even(2); }

  /// The mean width of cells along an axis, and that of each if the axis is even [m].
  double spacing(int axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return (upper[a] - lower[a]) / cells[axis];
  }
  /// The width of a cell [m]. A ghost cell is as wide as the cell at the same distance from the
  /// side, or, beyond a periodic side, as the one at the other end.
  double width(int axis, int index) const;
  double largest_width(int axis) const;
  /// Coordinate of the centre of cell `index` along an axis [m]. Depends on the global index only,
  /// so it is the same on every rank.
  double centre(int axis, int index) const;
  /// The cell that contains a position; beyond the domain the nearest one.
  int cell_at(int axis, double position) const;
  /// A position in units of cells: whole numbers at centres, 0 at the first, linear between two
  /// centres; between a centre and a side that is not periodic, as if the cell repeated beyond.
  double place(int axis, double position) const;

  /// The volume of the largest cell, and of each if all axes are even [m³].
  double largest_volume() const { return largest_width(0) * largest_width(1) * largest_width(2); }
  /// The widths of all cells along an axis as shares of the largest one's: 1 along even axes.
  std::vector<double> shares(int axis) const;
  /// The volume of the domain in units of the largest cell's; the number of cells if all are even.
  double volume_in_cells() const;
  std::int64_t cell_count() const { return std::int64_t{cells[0]} * cells[1] * cells[2]; }

  /// The grid with `factors` cells along each axis joined; nothing if a factor does not divide the
  /// number of cells.
  std::optional<Grid> coarsened(const comm::Int3& factors) const;

  /// Ghost cells on each side of a block, per axis.
  comm::Int3 ghosts(int width) const {
    return {width, dimensions > 1 ? width : 0, dimensions > 2 ? width : 0};
  }
};

}  // namespace halotherm::solver
