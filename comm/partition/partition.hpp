// SPDX-License-Identifier: MIT
// How the grid is cut into blocks, one a rank.
#pragma once

#include "comm/partition/box.hpp"

#include <array>
#include <optional>
#include <vector>

namespace halotherm::comm {

/// Which axes close on themselves.
using Periodic = Kokkos::Array<bool, 3>;

/// The split_points between the blocks along x, y and z: each axis's begin with 0, ascend and end
/// with its number of cells.
using SplitPoints = std::array<std::vector<int>, 3>;

/// A Cartesian partition of a grid into dims[0] x dims[1] x dims[2] blocks, one a rank. Unless they
/// are placed otherwise, ranks run fastest along x. A value: the same on every rank, no
/// communication.
class Partition {
 public:
  /// Blocks whose extents differ by at most one cell an axis. Throws Error (usage) if an axis has
  /// fewer cells than blocks.
  Partition(const Int3& cells, const Periodic& periodic, const Int3& dims);
  /// Blocks between these split_points. Throws Error (usage) if they do not ascend from 0.
  Partition(SplitPoints split_points, const Periodic& periodic);

  /// The ranks where they are, with blocks between other split_points, as many as before.
  Partition between(const SplitPoints& split_points) const;
  /// The partition of a grid with cells `factors` times as large along each axis, where a block
  /// begins with the first coarse cell whose fine cells are all at or above its split point.
  /// Nothing if a factor does not divide the number of cells, or if a block would be empty, or
  /// thinner than `halo` along an axis with neighbours.
  std::optional<Partition> coarsened(const Int3& factors, int halo) const;
  /// The same blocks in other hands: block_of_rank[rank], where blocks count fastest along x, is a
  /// permutation.
  Partition placed(const std::vector<int>& block_of_rank) const;

  const Int3& cells() const { return cells_; }
  const Int3& dims() const { return dims_; }
  const SplitPoints& split_points() const { return split_points_; }
  const Periodic& periodic() const { return periodic_; }
  int ranks() const { return dims_[0] * dims_[1] * dims_[2]; }
  Box global() const { return {{0, 0, 0}, cells_}; }

  /// Of the rank's block among the blocks.
  Int3 coordinates(int rank) const;
  Box owned(int rank) const;

  /// The rank of the block in a direction of -1, 0 or 1 an axis; none beyond a side that is not
  /// periodic. May be `rank` itself.
  std::optional<int> neighbour(int rank, const Int3& direction) const;

  /// Whether another rank's block adjoins on that side of every inner block, so that ghosts there
  /// come by exchange.
  bool is_cut(int axis) const { return dims_[axis] > 1; }

  /// The fewest cells that a block has along the axis.
  int thinnest(int axis) const;

  /// The largest block's cells over the mean.
  double imbalance() const;

 private:
  Int3 cells_{};
  Periodic periodic_;
  Int3 dims_{};
  SplitPoints split_points_;
  std::vector<int> block_of_rank_,
      rank_of_block_;  ///< empty where block and rank have the same number
};

/// The partition of `cells` into `ranks` blocks, each at least `halo` cells wide along every cut
/// axis, that exchanges the least surface; among equals the one with the fewest partitions across
/// x, then y, whose faces are not contiguous in memory. Throws Error (usage) if there is none.
Partition make_partition(const Int3& cells, const Periodic& periodic, int ranks, int halo);

/// The cut into the given blocks, checked: `dims` must multiply to `ranks`, and each block hold
/// `halo` cells along cut axes. Throws Error (usage).
Partition make_partition(const Int3& cells, const Periodic& periodic, int ranks, int halo,
                         const Int3& dims);

/// The cut between the given split_points, checked: as many blocks as `ranks`, and each holds
/// `halo` cells along cut axes. Throws Error (usage).
Partition make_partition(const SplitPoints& split_points, const Periodic& periodic, int ranks,
                         int halo);

/// Cells that all ranks together receive in one exchange of ghost width 1.
std::int64_t exchanged_cells(const Partition& partition);

}  // namespace halotherm::comm
