// SPDX-License-Identifier: MIT
// How a large box is cut into the pieces that threads work on.
#pragma once

#include "comm/box.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::comm {

/// What a launch may choose freely: the result does not depend on it, the speed does.
struct Tile {
  int rows = 2;            ///< GPUs: cells along y that a thread computes at once
  int planes = 4;          ///< GPUs: planes through which a thread marches
  int slab = 512;          ///< rows of a plane after which the next planes come first, so that what they share is still in a cache
  bool streaming = false;  ///< CPUs: stores bypass the caches

  friend bool operator==(const Tile&, const Tile&) = default;
};

/// What suits a box whose step touches `bytes` of memory, without a measurement.
Tile default_tile(std::int64_t bytes);

/// What is worth trying for a box.
std::vector<Tile> tile_candidates(const Box& box);

/// "2 rows x 4 planes, slabs of 512 rows", for reports.
std::string to_string(const Tile& tile);

/// The pieces of a box on a GPU: a thread computes `width` cells along x times `tile.rows` along y, plane by plane. Consecutive
/// teams share a plane first, then march, then go on to the next slab: what is in flight at a time stays close together in memory,
/// which memory likes (docs/performance.md).
class TileCut {
 public:
  static constexpr int threads = 128;  ///< of a team

  struct Piece {
    int i;        ///< first cell, a multiple of `width` from `aligned`; some lanes may lie outside of the box
    int j;        ///< first row
    int k_begin;  ///< first plane
    int k_end;    ///< beyond the last
  };

  /// `aligned`: an index along x at which `width` cells may be loaded at once.
  TileCut(const Box& box, const Tile& tile, int width, int aligned);

  int teams() const { return columns_ * bands_ * layers_; }

  KOKKOS_FORCEINLINE_FUNCTION Piece piece(int team, int thread) const {
    const int per_slab = columns_ * slab_bands_ * layers_;
    const int slab = team / per_slab;
    const int bands = Kokkos::min(slab_bands_, bands_ - slab * slab_bands_);
    const int within = team - slab * per_slab;
    const int column = within % columns_;
    const int band = slab * slab_bands_ + within / columns_ % bands;
    const int layer = within / columns_ / bands;
    const int first = box_.lower[2] + layer * planes_;
    return {first_ + (column * lanes_ + thread % lanes_) * width_,
            box_.lower[1] + (band * (threads / lanes_) + thread / lanes_) * rows_, first,
            Kokkos::min(first + planes_, box_.upper[2])};
  }

 private:
  Box box_;
  int first_;  ///< of the first column along x, at or below the box's lower end
  int width_;
  int lanes_;  ///< threads of a team side by side along x
  int rows_;
  int planes_;
  int columns_;     ///< teams along x
  int bands_;       ///< teams along y
  int slab_bands_;  ///< of a slab
  int layers_;      ///< teams along z
};

}  // namespace halotherm::comm
