// SPDX-License-Identifier: MIT
// A step on CPUs: row by row, a vector register at a time.
#pragma once

#include "comm/tile.hpp"
#include "solver/update.hpp"
#include "solver/watch.hpp"

#include <algorithm>
#include <cstdint>

namespace halotherm::solver {

/// Blocks of `tile.slab` rows, each taken through the planes of a thread, so that what neighbouring planes share is still in the
/// thread's cache; the planes are dealt out as those of Field's allocation, so threads find their planes in near memory.
template <class Update, class Real>
struct SweepRows {
  static constexpr int width = Pack<Real>::width;
  static constexpr int rows_ahead = 8;  ///< that are fetched into the second-level cache, of the plane that comes next

  Update update;
  comm::Box box;
  comm::Tile tile;
  int layers;   ///< parts of the planes, one a thread
  int columns;  ///< blocks of rows

  SweepRows(const Update& the_update, const comm::Box& the_box, const comm::Tile& the_tile, int threads)
      : update(the_update), box(the_box), tile(the_tile) {
    layers = std::min(threads, box.extent(2));
    // flat boxes: every thread gets rows
    tile.slab = std::clamp(tile.slab, 1, std::max(1, (box.extent(1) * layers + threads - 1) / threads));
    columns = (box.extent(1) + tile.slab - 1) / tile.slab;
  }

  int pieces() const { return layers * columns; }

  template <class Watcher>
  void sweep(int piece, Watcher& watch) const {
    const auto part = [&](int n) { return box.lower[2] + static_cast<int>(std::int64_t{box.extent(2)} * n / layers); };
    const int layer = piece / columns;
    const int j_begin = box.lower[1] + piece % columns * tile.slab;
    const int j_end = std::min(j_begin + tile.slab, box.upper[1]);
    const int rows_a_watch = std::max(1, (1 << 18) / (box.extent(0) / width + width));  // what a watcher can note in one go
    int noted = 0;
    for (int k = part(layer); k < part(layer + 1); ++k) {
      for (int j = j_begin; j < j_end; ++j) {
        row(j, k, watch);
        if (++noted < rows_a_watch) continue;
        watch.hand_over();
        noted = 0;
      }
    }
    watch.hand_over();
    if (tile.streaming) streaming_stores_end();
  }

 private:
  template <class Watcher>
  void row(int j, int k, Watcher& watch) const {
    const Update step = update;  // a local copy: the compiler sees that stores into fields do not change it
    const bool at_side = step.row_at_side(j, k);
    const int last = box.upper[0];
    int i = box.lower[0];
    for (; i < last && misaligned(&step.next(i, j, k)); ++i) cell(step, i, j, k, at_side, watch);
    // the first and the last pack may have physical sides, those between only if the whole row has
    const int packs_end = last - (last - i) % width;
    if (i < packs_end) pack(step, i, j, k, true, watch), i += width;
    if (at_side) {
      for (; i + width < packs_end; i += width) pack(step, i, j, k, true, watch);
    } else {
      for (; i + width < packs_end; i += width) pack(step, i, j, k, false, watch);
    }
    if (i < packs_end) pack(step, i, j, k, true, watch), i += width;
    for (; i < last; ++i) cell(step, i, j, k, at_side, watch);
  }

  template <class Watcher>
  KOKKOS_FORCEINLINE_FUNCTION void pack(const Update& step, int i, int j, int k, bool at_side, Watcher& watch) const {
    const auto result = step.template operator()<Pack<Real>>(i, j, k, at_side);
    watch.note(result, load_unaligned<Pack<Real>>(&step.T(i, j, k)), i, j, k);
    if (tile.streaming) {
      fetch_ahead(step, i, j, k);
      store_streaming(&step.next(i, j, k), result);
    } else {
      store(&step.next(i, j, k), result);
    }
  }

  template <class Watcher>
  KOKKOS_FORCEINLINE_FUNCTION void cell(const Update& step, int i, int j, int k, bool at_side, Watcher& watch) const {
    const auto result = step.template operator()<Real>(i, j, k, at_side || step.sides.at(0, i));
    watch.note(result, step.T(i, j, k), i, j, k);
    step.next(i, j, k) = result;
  }

  static bool misaligned(const Real* cell) { return reinterpret_cast<std::uintptr_t>(cell) % pack_bytes != 0; }

  /// Hardware prefetchers follow rows but not from plane to plane.
  static KOKKOS_FORCEINLINE_FUNCTION void fetch_ahead(const Update& step, int i, int j, int k) {
    const Real* above = &step.T(i, j, k) + step.T.plane;
    __builtin_prefetch(above + rows_ahead * step.T.row, 0, 2);
    __builtin_prefetch(above + step.T.row, 0, 3);
  }
};

}  // namespace halotherm::solver
