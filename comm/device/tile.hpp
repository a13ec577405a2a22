// SPDX-License-Identifier: MIT
// Division of a large box among threads.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <string>

namespace halotherm::comm {

/// The parameters of a launch that affect its speed but not its result.
struct Tile {
  int rows = 2;    ///< GPUs: cells along y that a thread computes at once, 1, 2 or, in 2-D, 4
  int planes = 6;  ///< planes per thread; in 2-D on GPUs: multiples of `rows`; on CPUs: 1 or 4
  int slab = 512;  ///< rows after which the next planes follow, so that caches keep shared rows
  bool non_temporal = false;  ///< CPUs: stores bypass the caches
};

/// "2 rows x 6 planes per thread, slabs of 512 rows", for reports.
std::string to_string(const Tile& tile);

/// The division of a box among the threads of a GPU. A thread computes `width` cells along x times
/// `tile.rows` along y, plane by plane. Consecutive teams share a plane first, then advance along
/// z, then continue with the next slab, which keeps concurrent memory accesses close together
/// (docs/performance.md).
class TileGrid {
 public:
  static constexpr int threads = 128;  ///< of a team

  /// The cells of one thread.
  struct Piece {
    int i;        ///< first cell, at or before the box; its last cells may be outside of the box
    int j;        ///< first row
    int k_begin;  ///< first plane
    int k_end;    ///< after the last plane
  };

  TileGrid() = default;  ///< without cells

  /// `aligned`: an index along x at which `width` cells may be loaded at once.
  TileGrid(const Box& box, const Tile& tile, int width, int aligned);

  KOKKOS_FORCEINLINE_FUNCTION int teams() const {
    return static_cast<int>(columns_ * bands_ * layers_);
  }

  KOKKOS_FORCEINLINE_FUNCTION Piece piece(int team_rank, int thread_rank) const {
    // unsigned divisions and shifts, since this delays a thread's first load
    const auto team = static_cast<unsigned>(team_rank);
    const auto thread = static_cast<unsigned>(thread_rank);
    const unsigned slab = team / teams_a_slab_;
    const unsigned within = team - slab * teams_a_slab_;
    const unsigned bands = Kokkos::min(slab_bands_, bands_ - slab * slab_bands_);
    const unsigned row_of_teams = within / columns_;
    const unsigned column = within - row_of_teams * columns_;
    const unsigned layer = row_of_teams / bands;
    const unsigned band = slab * slab_bands_ + (row_of_teams - layer * bands);
    const unsigned lane = (column << lane_bits_) + (thread & ((1u << lane_bits_) - 1));
    const int k_begin = box_.lower[2] + static_cast<int>(layer * planes_);
    const unsigned row = (band * (threads >> lane_bits_) + (thread >> lane_bits_)) * rows_;
    return {first_ + static_cast<int>(lane * width_), box_.lower[1] + static_cast<int>(row),
            k_begin, Kokkos::min(k_begin + static_cast<int>(planes_), box_.upper[2])};
  }

 private:
  Box box_;
  int first_ = 0;  ///< first index along x, aligned, at or below the box's lower end
  unsigned width_ = 1;
  unsigned lane_bits_ = 0;  ///< a team has 2^lane_bits threads along x
  unsigned rows_ = 1;
  unsigned planes_ = 1;
  unsigned columns_ = 0;     ///< teams along x
  unsigned bands_ = 0;       ///< teams along y
  unsigned slab_bands_ = 1;  ///< of a slab
  unsigned layers_ = 0;      ///< teams along z
  unsigned teams_a_slab_ = 1;
};

}  // namespace halotherm::comm
