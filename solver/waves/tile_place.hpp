// SPDX-License-Identifier: MIT
// The place of a thread's cells in a tile, and what crosses their faces, in several steps at once
// on GPUs.
#pragma once

#include "solver/equation/update.hpp"
#include "solver/waves/wave_tiles.hpp"

namespace halotherm::solver {

/// The cells of a thread: a pack along x from `i` on, in rows from `j` on.
template <class Tile, class Real>
struct TilePlace {
  int warp, lane;
  int i, j;
  int x;                       ///< where the pack lies in the tile: beyond the cells that exist,
                               ///< it repeats the last one and has no meaning
  int lower_lane, upper_lane;  ///< cells at the sides across x

  KOKKOS_FORCEINLINE_FUNCTION TilePlace(const WaveWork& work, const Sides<Real>& sides, int tile,
                                        int thread)
      : warp(thread / comm::warp_size), lane(thread % comm::warp_size) {
    constexpr int width = Pack<Real>::width;
    const int tile_x = tile % work.x.count, tile_y = tile / work.x.count;
    const int last = work.needed.upper[0] - 1 - work.x.begin;
    x = work.x.begin_of(tile_x) + lane * width;
    i = Kokkos::min(x, work.x.begin + last - last % width);
    j = work.y.begin_of(tile_y) + warp * Tile::rows;
    lower_lane = sides.condition[0][0].present ? sides.owned.lower[0] - i : -1;
    upper_lane = sides.condition[0][1].present ? sides.owned.upper[0] - 1 - i : -1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool exists() const { return x == i; }
};

/// The differences of temperature across the faces of a pack of cells, upwards along each axis, in
/// place of those that the stencil expression forms: both cells of a face take the same number.
template <class Value, class Real>
struct CellDifferences {
  const UniformFaces<Real>& faces;
  Value lower[3], upper[3];

  KOKKOS_FORCEINLINE_FUNCTION Value add_flows(int axis, const Value&, const Value&,
                                              const Value& sum) const {
    return faces.add_flows(axis, lower[axis], upper[axis], sum);
  }
};

}  // namespace halotherm::solver
