// SPDX-License-Identifier: MIT
// The cells of one kernel call: disjoint boxes, with the tile of the large ones.
#pragma once

#include "comm/device/box_list.hpp"
#include "comm/device/tile.hpp"

namespace halotherm::comm {

/// Whether rows are too short for what takes several cells of a row at once.
inline bool is_thin(const Box& box) {
  return box.extent(0) < 16;
}

/// Disjoint boxes, sorted once into large ones, which kernels cut into tiles, and thin ones, which
/// they take cell by cell.
class Region {
 public:
  Region() = default;
  explicit Region(std::span<const Box> boxes);

  bool empty() const { return large_.empty() && thin_.slots() == 0; }
  std::int64_t cells() const { return cells_; }
  std::span<const Box> large() const { return large_; }
  const BoxList& thin() const { return thin_; }

  /// How the large boxes are cut by kernels that may choose.
  const Tile& tile() const { return tile_; }
  void set_tile(const Tile& tile) { tile_ = tile; }

 private:
  std::vector<Box> large_;
  BoxList thin_;
  std::int64_t cells_ = 0;
  Tile tile_;
};

}  // namespace halotherm::comm
