// SPDX-License-Identifier: MIT
// How a large box is cut into the pieces that threads work on.
#pragma once

#include "comm/partition/box.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace halotherm::comm {

/// What a launch may choose freely: the result does not depend on it, the speed does.
struct Tile {
  int rows = 2;    ///< GPUs: cells along y that a thread computes at once
  int planes = 6;  ///< through which a thread marches; GPUs, in two dimensions: how many times so
                   ///< many rows; CPUs: 1 or 4
  int slab = 512;  ///< rows of a plane after which the next planes come first, so that what they
                   ///< share is still in a cache
  bool non_temporal = false;  ///< CPUs: stores bypass the caches

  friend bool operator==(const Tile&, const Tile&) = default;
};

/// What suits a box whose step touches `bytes` of memory, without a measurement.
Tile default_tile(std::int64_t bytes);

/// The same for the slabs around it. On GPUs marches there are short: all threads find room at
/// once, and what they take is what the next exchange waits for.
Tile slab_tile(std::int64_t bytes);

/// What is worth trying for a box. NonTemporal stores only where caches do not hold `bytes`:
/// otherwise the next step would miss there what this one wrote, which a trial of one step does not
/// show.
std::vector<Tile> tile_candidates(const Box& box, std::int64_t bytes);

/// "2 rows x 6 marches a thread, slabs of 512 rows", for reports.
std::string to_string(const Tile& tile);

/// The pieces of a box on a GPU: a thread computes `width` cells along x times `tile.rows` along y,
/// plane by plane. Consecutive teams share a plane first, then march, then go on to the next slab:
/// what is in flight at a time stays close together in memory, which memory likes
/// (docs/performance.md).
class TileGrid {
 public:
  static constexpr int threads = 128;  ///< of a team

  struct Piece {
    int i;  ///< first cell, a multiple of `width` from `aligned`; some lanes may lie outside of the
            ///< box
    int j;  ///< first row
    int k_begin;  ///< first plane
    int k_end;    ///< beyond the last
  };

  TileGrid() = default;  ///< of no cells

  /// `aligned`: an index along x at which `width` cells may be loaded at once.
  TileGrid(const Box& box, const Tile& tile, int width, int aligned);

  KOKKOS_FORCEINLINE_FUNCTION int teams() const {
    return static_cast<int>(columns_ * bands_ * layers_);
  }

  KOKKOS_FORCEINLINE_FUNCTION Piece piece(int team_rank, int thread_rank) const {
    // unsigned divisions and shifts: a thread does little else before its first load
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
    return {first_ + static_cast<int>(lane * width_),
            box_.lower[1] +
                static_cast<int>((band * (threads >> lane_bits_) + (thread >> lane_bits_)) * rows_),
            k_begin, Kokkos::min(k_begin + static_cast<int>(planes_), box_.upper[2])};
  }

 private:
  Box box_;
  int first_ = 0;  ///< of the first column along x, at or below the box's lower end
  unsigned width_ = 1;
  unsigned lane_bits_ = 0;  ///< 2^lane_bits threads of a team lie side by side along x
  unsigned rows_ = 1;
  unsigned planes_ = 1;
  unsigned columns_ = 0;     ///< teams along x
  unsigned bands_ = 0;       ///< teams along y
  unsigned slab_bands_ = 1;  ///< of a slab
  unsigned layers_ = 0;      ///< teams along z
  unsigned teams_a_slab_ = 1;
};

}  // namespace halotherm::comm
