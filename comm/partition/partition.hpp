// SPDX-License-Identifier: MIT
// The partition of the grid into blocks, one per rank.
#pragma once

#include "comm/partition/box.hpp"

#include <array>
#include <optional>
#include <vector>

namespace halotherm::comm {

/// Whether each axis is periodic.
using Periodic = Kokkos::Array<bool, 3>;

/// The cell indices at which blocks begin along x, y and z. Each axis starts with 0, ascends and
/// ends with its number of cells.
using SplitPoints = std::array<std::vector<int>, 3>;

/// A Cartesian partition of a grid into dims[0] x dims[1] x dims[2] blocks, one per rank. Ranks run
/// fastest along x unless `mapped` assigns the blocks. A value, equal on all ranks; no member
/// communicates.
class Partition {
 public:
  /// Blocks whose extents along an axis differ by at most one cell. Throws Error (usage) if an axis
  /// has fewer cells than blocks.
  Partition(const Int3& cells, const Periodic& periodic, const Int3& dims);
  /// Blocks between these split points. Throws Error (usage) if they do not ascend from 0.
  Partition(SplitPoints split_points, const Periodic& periodic);

  /// The same rank mapping with other split points, as many as here.
  Partition between(const SplitPoints& split_points) const;
  /// The partition of a grid whose cells are `factors` times as large. A block begins at the first
  /// coarse cell that lies at or above its split point. Where a factor does not divide the number
  /// of cells, the last coarse cell has fewer. None if a block would be empty, or thinner than
  /// `halo` along an axis with neighbours.
  std::optional<Partition> coarsened(const Int3& factors, int halo) const;
  /// The same blocks with another rank mapping: `block_of_rank`[rank] is a permutation of the block
  /// numbers, which run fastest along x.
  Partition mapped(const std::vector<int>& block_of_rank) const;

  const Int3& cells() const { return cells_; }
  const Int3& dims() const { return dims_; }
  const SplitPoints& split_points() const { return split_points_; }
  const Periodic& periodic() const { return periodic_; }
  int ranks() const { return dims_[0] * dims_[1] * dims_[2]; }
  Box global() const { return {{0, 0, 0}, cells_}; }

  /// The position of the rank's block, counted in blocks.
  Int3 coordinates(int rank) const;
  /// The cells of the rank's block.
  Box owned(int rank) const;

  /// The rank of the adjacent block in `direction` (-1, 0 or 1 per axis), which may be `rank`
  /// itself; none beyond a side that is not periodic.
  std::optional<int> neighbour(int rank, const Int3& direction) const;

  /// Whether several blocks share the axis, so that some of their sides exchange ghost cells.
  bool is_split(int axis) const { return dims_[axis] > 1; }

  /// The smallest extent of a block along the axis [cells].
  int thinnest(int axis) const;

  /// The largest block's number of cells over the mean.
  double imbalance() const;

 private:
  Int3 cells_{};
  Periodic periodic_;
  Int3 dims_{};
  SplitPoints split_points_;
  std::vector<int> block_of_rank_;  ///< empty where block and rank have the same number
  std::vector<int> rank_of_block_;  ///< the inverse
};

/// The partition of `cells` into `ranks` blocks with the smallest exchanged surface, each block at
/// least `halo` cells wide along split axes. Ties go to the fewest blocks along x, then y, whose
/// faces are not contiguous in memory. Throws Error (usage) if there is none.
Partition make_partition(const Int3& cells, const Periodic& periodic, int ranks, int halo);

/// A partition into the given numbers of blocks. Throws Error (usage) unless `dims` multiply to
/// `ranks` and each block is at least `halo` cells wide along split axes.
Partition make_partition(const Int3& cells, const Periodic& periodic, int ranks, int halo,
                         const Int3& dims);

/// A partition at the given split points. Throws Error (usage) unless it has `ranks` blocks, each
/// at least `halo` cells wide along split axes.
Partition make_partition(const SplitPoints& split_points, const Periodic& periodic, int ranks,
                         int halo);

/// The blocks of all ranks, in their order.
std::vector<Box> blocks_of(const Partition& partition);

/// Cells that all ranks together receive in one exchange of ghost width 1.
std::int64_t exchanged_cells(const Partition& partition);

}  // namespace halotherm::comm
