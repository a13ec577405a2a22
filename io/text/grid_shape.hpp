// SPDX-License-Identifier: MIT
// The global grid as files and messages describe it.
#pragma once

#include "comm/partition/box.hpp"

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// Shape and position of the global grid. Arrays in files have their axes in the order (z, y, x),
/// x fastest, and only the first `dimensions` axes: a 2-D grid's data set has the shape (ny, nx). A
/// block of cells in memory has the same order, without ghosts.
struct GridShape {
  int dimensions = 3;
  comm::Int3 cells{1, 1, 1};
  std::array<double, 3> lower{0, 0, 0};    ///< [m]
  std::array<double, 3> spacing{1, 1, 1};  ///< width of cells, the mean one along uneven axes [m]
  /// Faces along an uneven axis, one more than cells [m]; none along an even one.
  std::array<std::shared_ptr<const std::vector<double>>, 3> faces{};

  bool even(std::size_t axis) const { return faces[axis] == nullptr; }
};

/// The centre of a cell along an axis [m].
double centre_of(const GridShape& grid, std::size_t axis, int index);

/// "the cell (1, 2, 3), position (0.1, 0.2, 0.3) m".
std::string place_text(const GridShape& grid, const comm::Int3& cell);

/// The cell of a global linear index, x fastest.
comm::Int3 cell_of(const GridShape& grid, std::int64_t index);

inline constexpr auto no_index = std::numeric_limits<std::int64_t>::max();

/// Local. The lowest global linear index of a NaN or infinite value among the cells of `region`;
/// `no_index` if all are finite. `values` holds the cells of `block`, which contains `region`, x
/// fastest. Instantiated for float and double.
template <class Real>
std::int64_t first_non_finite(const GridShape& grid, const comm::Box& region,
                              const comm::Box& block, std::span<const Real> values);

/// Local. Throws comm::Error (numerics), which names the block's first cell whose value is NaN or
/// infinite by its global index and its position. `what` is the subject of the message.
/// Instantiated for float and double.
template <class Real>
void require_finite(const std::string& what, const GridShape& grid, const comm::Box& block,
                    std::span<const Real> values);

}  // namespace halotherm::io
