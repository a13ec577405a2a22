// SPDX-License-Identifier: MIT
// How teams of threads divide a box for several steps at once on GPUs, and what a team shares.
#pragma once

#include "comm/device/lanes.hpp"
#include "solver/equation/sides.hpp"
#include "solver/field/pack.hpp"
#include "solver/waves/needed_cells.hpp"

#include <algorithm>
#include <cstdint>

namespace halotherm::solver {

/// The rows of a thread, and the warps of a team.
struct WaveShape {
  int rows, warps;

  /// What is fastest on an H200 (ADR 45). In single precision a pack has twice as many cells, and
  /// the instructions of many rows do not fit into a multiprocessor's cache.
  template <class Real>
  static constexpr WaveShape of(int steps) {
    constexpr bool is_double = sizeof(Real) == 8;
    if (steps == 2) return is_double ? WaveShape{8, 8} : WaveShape{4, 16};
    if (steps == 3) return {7, 8};
    return {5, 8};
  }
  constexpr int height() const { return rows * warps; }
};

/// A tile: a warp has `width` columns along x, a pack a lane, in `rows` rows; the warps of a team
/// lie side by side along y. Cells near the edge only serve the others.
template <int Steps, class Real>
struct WaveTile {
  static constexpr WaveShape shape = WaveShape::of<Real>(Steps);
  static constexpr int dimensions = 3, steps = Steps, rows = shape.rows, warps = shape.warps;
  static constexpr int halo = Steps;
  static constexpr int halo_x = 32 / static_cast<int>(sizeof(Real));  ///< a sector of memory
  static_assert(halo <= halo_x);
  static constexpr int threads = warps * comm::warp_size;
  static constexpr int width = Pack<Real>::width * comm::warp_size, height = shape.height();
};

/// A tile in two dimensions: of one warp, whose lanes have `Packs` neighbouring packs each.
template <int Steps, int Packs, class Real>
struct LineTile {
  static constexpr int dimensions = 2, steps = Steps, packs = Packs;
  static constexpr int halo = Steps;
  static constexpr int halo_x = 32 / static_cast<int>(sizeof(Real));
  static_assert(halo <= halo_x);
  static constexpr int warps = 4, threads = warps * comm::warp_size;
  static constexpr int width = Packs * Pack<Real>::width * comm::warp_size;
};

/// What a team shares: planes of temperatures before the steps, and the first and last row of each
/// warp after each step but the last, of the plane before and of this one.
template <class Tile, class Real>
struct WaveShared {
  using Cells = Pack<Real>;
  static constexpr int planes = 4;

  Cells before[planes][Tile::height][comm::warp_size];
  Cells edge[Tile::steps - 1][2][Tile::warps][2][comm::warp_size];
};

/// The temperatures beyond a side whose cells have one condition, of the cells inside.
template <class Real, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value ghosts_beyond(const SideCondition<Real>& side,
                                                const Value& inside) {
  const auto& affine = side.of_all;
  return broadcast<Value>(affine.alpha) * inside + broadcast<Value>(affine.beta);
}

/// Tiles along one axis: each begins `useful` cells after the one before, but the last one may end
/// with the cells that are needed.
struct TilesAlong {
  int lower, upper;  ///< of the cells whose steps are computed
  int begin, size, useful, count, last_begin;

  TilesAlong() = default;
  /// `needed_lower`, `needed_upper`: the cells that tiles hold. The first begins at a multiple of
  /// `alignment` cells from `origin`.
  TilesAlong(int the_lower, int the_upper, int needed_lower, int needed_upper, int the_size,
             int halo, int alignment, int origin, bool ends_with_needed)
      : lower(the_lower), upper(the_upper), size(the_size), useful(the_size - 2 * halo) {
    const int offset = (needed_lower - origin) % alignment;
    begin = needed_lower - (offset < 0 ? offset + alignment : offset);
    count = 1 + std::max(0, (needed_upper - begin - size + useful - 1) / useful);
    last_begin = ends_with_needed ? needed_upper - size : begin + (count - 1) * useful;
  }
  KOKKOS_FORCEINLINE_FUNCTION int begin_of(int tile) const {
    return tile + 1 == count ? last_begin : begin + tile * useful;
  }
  /// The cells of a tile whose results count.
  KOKKOS_FORCEINLINE_FUNCTION int lower_of(int tile) const {
    return tile == 0 ? lower : begin + tile * useful + (size - useful) / 2;
  }
  KOKKOS_FORCEINLINE_FUNCTION int upper_of(int tile) const {
    return tile + 1 == count ? upper : begin + tile * useful + (size + useful) / 2;
  }
};

/// What lies in a tile at an end along x: nothing, a side across x at the first or the last lane of
/// a pack, or any of these and ends of the box within a pack.
enum class TileEnd { plain, lower_side, upper_side, any };

/// The tiles of a box, plane by plane, as one list of which teams take parts of equal cost. In two
/// dimensions rows take the place of planes, and no tiles lie side by side along y.
struct WaveWork {
  int along;  ///< the axis of the wave
  comm::Box box;
  comm::Box needed;  ///< cells that the steps start from
  TilesAlong x, y;
  TileEnd first, last;  ///< tiles along x
  int teams;

  /// Of a plane of a tile, relative to others: on an H200 ghost cells along x take no time, but
  /// choices by lane do.
  static KOKKOS_FORCEINLINE_FUNCTION int cost_of(TileEnd end) {
    return end == TileEnd::any ? 4 : 3;
  }

  KOKKOS_FORCEINLINE_FUNCTION int planes() const { return box.extent(along); }
  KOKKOS_FORCEINLINE_FUNCTION TileEnd end_of(int tile_x) const {
    return tile_x == 0 ? first : tile_x + 1 == x.count ? last : TileEnd::plain;
  }
  /// The first plane of a team, counted tile by tile.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t begin_of(int team) const {
    const auto one = std::int64_t{planes()};
    const auto before = one * cost_of(first), plain = one * cost_of(TileEnd::plain);
    const auto row = before + (x.count - 2) * plain + one * cost_of(last);
    const auto all = x.count > 1 ? row : before;
    auto left = all * y.count * team / teams;
    const auto tiles = left / all * x.count;
    left %= all;
    if (x.count == 1 || left < before) return tiles * one + left / cost_of(first);
    left -= before;
    const auto middle = (x.count - 2) * plain;
    if (left < middle) return (tiles + 1) * one + left / cost_of(TileEnd::plain);
    return (tiles + x.count - 1) * one + (left - middle) / cost_of(last);
  }
};

/// Divides a box of a block with these sides among at most so many teams, of which each has at
/// least `fewest` planes if there are so many.
template <class Tile, class Real>
WaveWork wave_work(const comm::Box& box, const Sides<Real>& sides, int most_teams, int fewest) {
  WaveWork work{};
  work.along = Tile::dimensions - 1;
  work.box = box;
  work.needed = needed_cells(box, sides, Tile::dimensions, Tile::halo);
  const auto& needed = work.needed;
  bool lower[3] = {}, upper[3] = {};  // whether the cells that are needed end at a side
  for (int axis = 0; axis < Tile::dimensions; ++axis) {
    const auto& side = sides.condition[axis];
    lower[axis] = side[0].present && needed.lower[axis] == sides.owned.lower[axis];
    upper[axis] = side[1].present && needed.upper[axis] == sides.owned.upper[axis];
  }
  work.x = TilesAlong(box.lower[0], box.upper[0], needed.lower[0], needed.upper[0], Tile::width,
                      Tile::halo_x, Tile::halo_x, sides.owned.lower[0], false);
  work.y.count = 1;
  if constexpr (Tile::dimensions == 3) {  // with a row of ghost cells beyond each side
    work.y =
        TilesAlong(box.lower[1], box.upper[1], needed.lower[1] - (lower[1] ? 1 : 0),
                   needed.upper[1] + (upper[1] ? 1 : 0), Tile::height, Tile::halo, 1, 0, upper[1]);
  }
  const auto end_of = [&](int tile) {
    const bool at_lower = lower[0] && tile == 0;
    const bool at_upper = upper[0] && needed.upper[0] <= work.x.begin_of(tile) + Tile::width;
    const auto within_pack = [&](int cell) {
      return (cell - work.x.begin) % Pack<Real>::width != 0;
    };
    if (within_pack(work.x.lower_of(tile)) || within_pack(work.x.upper_of(tile)) ||
        (at_upper && (at_lower || within_pack(sides.owned.upper[0]))))
      return TileEnd::any;
    return at_lower ? TileEnd::lower_side : at_upper ? TileEnd::upper_side : TileEnd::plain;
  };
  work.first = end_of(0);
  work.last = end_of(work.x.count - 1);
  const auto planes = std::int64_t{work.x.count} * work.y.count * work.planes();
  work.teams = static_cast<int>(std::clamp<std::int64_t>(planes / fewest, 1, most_teams));
  return work;
}

/// Calls `stream(tile, begin, end)` for the planes of each tile that are a team's.
template <class Stream>
KOKKOS_FORCEINLINE_FUNCTION void for_each_tile(const WaveWork& work, int team,
                                               const Stream& stream) {
  const auto end = work.begin_of(team + 1);
  for (auto next = work.begin_of(team); next < end;) {
    const int tile = static_cast<int>(next / work.planes());
    const int first = static_cast<int>(next % work.planes());
    const int planes =
        static_cast<int>(Kokkos::min(std::int64_t{work.planes() - first}, end - next));
    const int begin = work.box.lower[work.along] + first;
    stream(tile, begin, begin + planes);
    next += planes;
  }
}

}  // namespace halotherm::solver
