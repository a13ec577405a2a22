// SPDX-License-Identifier: MIT
// Divides a data set among the ranks that read it.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <vector>

namespace halotherm::io {

/// Divides a data set's cells into bricks: boxes of one shape, smaller at the upper ends only,
/// numbered x fastest. Each reader owns consecutive bricks, as many as the others or one fewer, and
/// reads one in each round. No member communicates.
class Bricks {
 public:
  /// `shape`: cells, at least 1 along each axis. `readers`: ranks, ascending, at least one and at
  /// most one a brick.
  Bricks(const comm::Int3& extent, const comm::Int3& shape, std::vector<int> readers);

  const comm::Int3& extent() const { return extent_; }
  const comm::Int3& shape() const { return shape_; }
  std::int64_t count() const { return std::int64_t{counts_[0]} * counts_[1] * counts_[2]; }
  int rounds() const;
  const std::vector<int>& readers() const { return readers_; }
  bool reads(int rank) const;

  /// The brick that a rank reads in a round; an empty box if it reads none.
  comm::Box of(int rank, int round) const;

 private:
  comm::Box box(std::int64_t brick) const;

  comm::Int3 extent_, shape_, counts_;
  std::vector<int> readers_;
};

inline constexpr int readers_per_node = 4;
inline constexpr std::int64_t largest_brick_bytes = 16 << 20;
inline constexpr std::int64_t least_bytes_of_a_reader = 1 << 20;

/// Bricks for values of `value_bytes` each, read by at most `readers_per_node` ranks of each node,
/// rank 0 among them: few ranks open the file, and a few saturate a node's link to the disks.
/// `nodes`: a number for each rank, equal on one node (Communicator::nodes). Bricks are whole
/// multiples of `grain`, the cells that the file stores together, so that no cell is read twice;
/// where grains leave a choice, bricks are contiguous in the file. A brick has at most
/// `largest_brick_bytes`, or one grain.
Bricks bricks_to_read(const comm::Int3& extent, const comm::Int3& grain, std::size_t value_bytes,
                      const std::vector<int>& nodes);

}  // namespace halotherm::io
