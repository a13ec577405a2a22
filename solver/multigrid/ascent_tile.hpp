// SPDX-License-Identifier: MIT
// How teams of threads divide a block for the ascent on GPUs, and what a team shares.
#pragma once

#include "comm/device/lanes.hpp"
#include "solver/field/cell_pair.hpp"
#include "solver/multigrid/ascent.hpp"

namespace halotherm::solver {

/// A tile: a warp has `width` columns along x, a pair of cells a lane, in `Rows` rows; the warps of
/// a team lie side by side along y. Columns near the edge only serve the others.
template <int Rows>
struct AscentTile {
  static constexpr int halo = Ascent::sweeps;
  static constexpr int halo_x = 4;  ///< whole pairs, and half a sector of memory
  static constexpr int warps = 8, threads = warps * comm::warp_size;
  static constexpr int width = 2 * comm::warp_size, height = warps * Rows;
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
class AscentScratch {
  using Pair = CellPair<float>;
  static constexpr int most_lines = Tile::height + 2;
  static constexpr int edges = Ascent::sweeps * Tile::warps * 2;

 public:
  using View = Kokkos::View<Pair*, typename comm::Space::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int size = 2 * (edges + most_lines) * comm::warp_size;

  KOKKOS_FORCEINLINE_FUNCTION AscentScratch(const View& view, int lane)
      : pairs_(view.data() + lane) {}
  /// Lines along x of fine cells in a plane of coarse ones, a line every `warp_size` pairs: those
  /// of rows of coarse cells from `first` on, by the rows' number.
  KOKKOS_FORCEINLINE_FUNCTION Pair* lines(int turn, int first) const {
    return pairs_ + (turn * most_lines - first) * comm::warp_size;
  }
  /// The first or last row of a warp, that a sweep computes from.
  KOKKOS_FORCEINLINE_FUNCTION Pair& edge(int turn, int sweep, int warp, int last) const {
    return pairs_[(2 * most_lines + ((turn * Ascent::sweeps + sweep) * Tile::warps + warp) * 2 +
                   last) *
                  comm::warp_size];
  }

 private:
  Pair* pairs_;
};

}  // namespace halotherm::solver
