// SPDX-License-Identifier: MIT
// Tiles must cover a box: every cell, and rows that two threads share only at the box's upper end.
#include "comm/device/tile.hpp"

#include "comm/device/execution.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace halotherm::comm {
namespace {

using Cell = std::tuple<int, int, int>;

/// How often threads reach each cell, in the order of the plane-streaming kernel.
std::map<Cell, int> visits(const Box& box, const Tile& tile, int width) {
  const TileGrid cut(box, tile, width, 0);
  std::map<Cell, int> count;
  for (int team = 0; team < cut.teams(); ++team) {
    for (int thread = 0; thread < TileGrid::threads; ++thread) {
      const auto piece = cut.piece(team, thread);
      EXPECT_EQ(piece.i % width, 0);
      for (int k = piece.k_begin; k < piece.k_end; ++k) {
        for (int j = piece.j; j < std::min(piece.j + tile.rows, box.upper[1]); ++j) {
          for (int i = std::max(piece.i, box.lower[0]); i < std::min(piece.i + width, box.upper[0]);
               ++i)
            ++count[{i, j, k}];
        }
      }
    }
  }
  return count;
}

TEST(TileGrid, CoversEveryCellOnce) {
  const Box boxes[] = {{{0, 0, 0}, {130, 37, 9}},
                       {{3, 1, 2}, {20, 6, 31}},
                       {{-2, 5, 0}, {65, 6, 1}},
                       {{7, 0, 0}, {9, 200, 2}}};
  for (const auto& box : boxes) {
    for (const auto& tile : {Tile{1, 1, 1}, Tile{2, 4, 16}, Tile{4, 3, 1000}, Tile{2, 64, 8}}) {
      for (const int width : {2, 4}) {
        const auto count = visits(box, tile, width);
        EXPECT_EQ(static_cast<std::int64_t>(count.size()), box.size())
            << to_string(box) << " " << to_string(tile);
        for (const auto& [cell, times] : count)
          ASSERT_EQ(times, 1) << to_string(box) << " " << to_string(tile);
      }
    }
  }
}

TEST(TileGrid, OneRowKeepsAllThreadsBusy) {
  const TileGrid cut({{0, 0, 0}, {512, 1, 12}}, {1, 6, 16}, 2, 0);
  EXPECT_EQ(cut.teams() * TileGrid::threads, 512 / 2 * 2);  // packs of two layers of planes
}

TEST(TileGrid, FinishesASlabBeforeTheNext) {
  const Box box{{0, 0, 0}, {64, 64, 8}};
  const Tile tile{1, 2, 16};
  const TileGrid cut(box, tile, 2, 0);
  int slab = 0;
  for (int team = 0; team < cut.teams(); ++team) {
    const int here = cut.piece(team, 0).j / tile.slab;
    EXPECT_GE(here, slab);
    slab = here;
  }
  EXPECT_EQ(slab, 3);
}

}  // namespace
}  // namespace halotherm::comm
