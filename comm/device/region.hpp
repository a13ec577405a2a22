// SPDX-License-Identifier: MIT
// The cells of one kernel call: disjoint boxes, and the tile of the large ones.
#pragma once

#include "comm/device/box_list.hpp"
#include "comm/device/tile.hpp"

namespace halotherm::comm {

/// Whether rows are too short for kernels that compute several cells of a row at once.
inline bool is_thin(const Box& box) {
  return box.extent(0) < 16;
}

/// The contiguous parts of a box with at most `most` slots (BoxList).
std::vector<Box> countable_parts(const Box& box, std::int64_t most = BoxList::most_slots);

/// Disjoint boxes, divided once into large ones, which kernels divide into tiles, and thin ones,
/// which kernels visit by slots.
class Region {
 public:
  Region() = default;
  explicit Region(std::span<const Box> boxes);
  explicit Region(const Box& box) : Region(std::span(&box, 1)) {}

  bool empty() const { return large_.empty() && thin_.slots() == 0; }
  std::int64_t cells() const { return cells_; }
  std::span<const Box> large() const { return large_; }
  const BoxList& thin() const { return thin_; }

  /// How kernels divide the large boxes.
  const Tile& tile() const { return tile_; }
  void set_tile(const Tile& tile) { tile_ = tile; }

 private:
  std::vector<Box> large_;
  BoxList thin_;
  std::int64_t cells_ = 0;
  Tile tile_;
};

}  // namespace halotherm::comm
