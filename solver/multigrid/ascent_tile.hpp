// SPDX-License-Identifier: MIT
// How teams of threads divide a block for the ascent on GPUs, and what a team shares.
#pragma once

#include "comm/device/lanes.hpp"
#include "solver/field/cell_pair.hpp"
#include "solver/multigrid/ascent.hpp"

namespace halotherm::solver {

/// A tile: a warp has `width` columns along x, a pair of cells a lane, in `rows` rows; the warps of
/// a team lie side by side along y. Columns near the edge only serve the others.
template <int Rows, int Warps>
struct AscentTile {
  static constexpr int halo = Ascent::sweeps;
  static constexpr int halo_x = 4;  ///< whole pairs, and half a sector of memory
  static constexpr int rows = Rows, warps = Warps, threads = warps * comm::warp_size;
  static constexpr int width = 2 * comm::warp_size, height = warps * rows;
  static constexpr int useful_width = width - 2 * halo_x, useful_height = height - 2 * halo;
};

/// The tiles of a block, plane by plane, as one list that teams divide evenly.
struct AscentWork {
  int tiles_x, tiles_y, planes, teams;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t all() const {
    return std::int64_t{tiles_x} * tiles_y * planes;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t begin_of(int team) const { return all() * team / teams; }
};

/// What a team shares of a tile, a pair of cells a lane.
template <class Tile>
struct AscentShared {
  using Line = CellPair<float>[comm::warp_size];
  /// of b: those that sweeps end at the same time, and a spare one
  static constexpr int planes = 4;
  static_assert(planes > Ascent::sweeps);

  Line lines[2][Tile::height + 2];  ///< lines along x of fine cells in a plane of coarse ones
  Line edge[2][Ascent::sweeps][Tile::warps][2];  ///< a warp's first and last row before a sweep
  Line b[planes][Tile::height];                  ///< in units of a cell's volume
};

}  // namespace halotherm::solver
