// SPDX-License-Identifier: MIT
// Row sweeps on CPUs, a vector register at a time.
#pragma once

#include "comm/device/tile.hpp"
#include "solver/diagnostics/instrument.hpp"
#include "solver/equation/update.hpp"
#include "solver/medium/medium_traits.hpp"
#include "solver/sweeps/swept_faces.hpp"

#include <algorithm>
#include <cstdint>

namespace halotherm::solver {

/// Blocks of `tile.slab` rows, each taken through the planes of a thread, so that what neighbouring
/// planes share is still in the thread's cache; the planes are dealt out as those of Field's
/// allocation, so threads find their planes in near memory.
template <class Update, class Real>
struct SweepRows {
  static constexpr int width = Pack<Real>::width;
  static constexpr int most_planes = 4;
  /// additions in a lane between two hand-overs
  static constexpr int most_additions = 1 << 18;
  /// rows of the next plane that are prefetched into the second-level cache
  static constexpr int rows_ahead = 4;
  static constexpr bool bound_by_memory =
      !MediumTraits<decltype(Update::medium)>::bound_by_arithmetic;
  /// Whether several planes are taken at once: where it pays, since each way takes seconds to
  /// compile. Stores past the caches need packs that fill a line (tiles.cpp).
  template <bool NonTemporal, class Instrument_>
  static constexpr bool takes_planes_together =
      Update::dimensions == 3 && bound_by_memory&& std::is_same_v<Instrument_, NoInstrument> &&
      (!NonTemporal || pack_bytes >= 64);

  Update update;
  comm::Box box;
  comm::Tile tile;
  int layers;   ///< parts of the planes, one a thread
  int columns;  ///< blocks of rows

  SweepRows(const Update& the_update, const comm::Box& the_box, const comm::Tile& the_tile,
            int threads)
      : update(the_update), box(the_box), tile(the_tile) {
    layers = std::min(threads, box.extent(2));
    // flat boxes: every thread gets rows
    tile.slab =
        std::clamp(tile.slab, 1, std::max(1, (box.extent(1) * layers + threads - 1) / threads));
    columns = (box.extent(1) + tile.slab - 1) / tile.slab;
  }

  int pieces() const { return layers * columns; }

  /// Each part of the rows is added to a copy of `instrument`, which must be empty.
  template <class Instrument_>
  void sweep(int piece, const Instrument_& instrument) const {
    if constexpr (bound_by_memory && std::is_same_v<Instrument_, NoInstrument>) {
      if (tile.non_temporal) {
        sweep_storing<true>(piece, instrument);
        return non_temporal_stores_end();
      }
    }
    sweep_storing<false>(piece, instrument);
  }

 private:
  template <bool NonTemporal, class Instrument_>
  void sweep_storing(int piece, const Instrument_& instrument) const {
    const auto part = [&](int n) {
      return box.lower[2] + static_cast<int>(std::int64_t{box.extent(2)} * n / layers);
    };
    const int layer = piece / columns;
    const int j_begin = box.lower[1] + piece % columns * tile.slab;
    const int j_end = std::min(j_begin + tile.slab, box.upper[1]);
    const int k_end = part(layer + 1);
    for (int k = part(layer); k < k_end;) {
      if constexpr (takes_planes_together<NonTemporal, Instrument_>) {
        if (together(k, k_end)) {
          rows<most_planes, NonTemporal>(j_begin, j_end, k, instrument);
          k += most_planes;
          continue;
        }
      }
      rows<1, NonTemporal>(j_begin, j_end, k++, instrument);
    }
  }

  /// Whether the planes from k on are taken at once. Those at sides are not, where all rows take
  /// the slower way.
  bool together(int k, int k_end) const {
    return tile.planes >= most_planes && k + most_planes <= k_end &&
           !update.sides.at(2, k, most_planes);
  }

  template <int Planes>
  using Faces = SweptFaces<Update::dimensions, Planes, decltype(Update::medium)>;

  /// Which neighbours of a pack may lie beyond physical sides.
  enum class Ghosts { none, x, any };

  /// Where the parts of a row begin: cells before the first whole pack, packs, cells after the last
  /// whole pack.
  struct Parts {
    int packs;
    int cells;
  };
  /// The parts of every row of a plane.
  Parts parts_of(int j, int k) const {
    int i = box.lower[0];
    while (i < box.upper[0] && misaligned(&update.next(i, j, k))) ++i;
    return {i, box.upper[0] - (box.upper[0] - i) % width};
  }

  /// Rows of `Planes` planes: most cells in all planes together, the rest plane by plane.
  template <int Planes, bool NonTemporal, class Instrument_>
  void rows(int j_begin, int j_end, int k, const Instrument_& instrument) const {
    int first = j_begin, end = j_end;  // of the rows that are at no side across y or z
    while (first < end && update.row_at_side(first, k)) ++first;
    while (first < end && update.row_at_side(end - 1, k)) --end;
    packs<Planes, NonTemporal>(first, end, k, instrument);
    for (int plane = k; plane < k + Planes; ++plane) {
      packs_at_sides(j_begin, first, plane, instrument);
      packs_at_sides(end, j_end, plane, instrument);
      cells_left(j_begin, j_end, plane, instrument);
    }
  }

  /// Rows at no side across y or z, of all planes together, so that what they share is loaded once.
  template <int Planes, bool NonTemporal, class Instrument_>
  void packs(int j_begin, int j_end, int k, const Instrument_& instrument_) const {
    const auto parts = parts_of(j_begin, k);
    if (j_begin == j_end || parts.packs == parts.cells) return;
    const Update step =
        update;  // local copies: the compiler sees that stores into fields do not change them
    Instrument_ instrument = instrument_;
    constexpr int columns_a_hand_over = most_additions / Planes;
    const int rows_a_hand_over = std::max(1, columns_a_hand_over / (box.extent(0) / width));
    Faces<Planes> faces(step.medium);
    for (int j = j_begin; j < j_end; ++j) {
      faces.begin_row(parts.packs, parts.cells, j, k);
      for (int i = parts.packs; i < parts.cells; i += width) {
        column<Planes, NonTemporal, Ghosts::x>(step, faces, i, j, k, instrument);
        if constexpr (bound_by_memory && std::is_same_v<Instrument_, NoInstrument>) {
          // the packs that no side concerns, all but the first and the last, have a loop of their
          // own
          for (; i + 2 * width < parts.cells; i += width)
            column<Planes, NonTemporal, Ghosts::none>(step, faces, i + width, j, k, instrument);
        }
        if (i % (width * columns_a_hand_over) < width)
          instrument.hand_over();  // rows may be longer
      }
      if ((j - j_begin + 1) % rows_a_hand_over == 0) instrument.hand_over();
    }
    instrument.hand_over();
  }

  /// Packs at sides across y or z: so few that their stores need not be non-temporal.
  template <class Instrument_>
  void packs_at_sides(int j_begin, int j_end, int k, const Instrument_& instrument_) const {
    const auto parts = parts_of(j_begin, k);
    if (j_begin == j_end || parts.packs == parts.cells) return;
    const Update step = update;
    Instrument_ instrument = instrument_;
    Faces<1> faces(step.medium);
    for (int j = j_begin; j < j_end; ++j) {
      faces.begin_row(parts.packs, parts.cells, j, k);
      for (int i = parts.packs; i < parts.cells; i += width) {
        column<1, false, Ghosts::any>(step, faces, i, j, k, instrument);
        if (i % (width * most_additions) < width) instrument.hand_over();
      }
      instrument.hand_over();
    }
  }

  /// Cells that fill no pack.
  template <class Instrument_>
  void cells_left(int j_begin, int j_end, int k, const Instrument_& instrument_) const {
    const auto parts = parts_of(j_begin, k);
    if (parts.packs == box.lower[0] && parts.cells == box.upper[0]) return;
    const Update step = update;
    Instrument_ instrument = instrument_;
    for (int j = j_begin; j < j_end; ++j) {
      for (int i = parts.packs > box.lower[0] ? box.lower[0] : parts.cells; i < box.upper[0]; ++i) {
        cell(step, i, j, k, instrument);
        if (i + 1 == parts.packs) i = parts.cells - 1;  // between them are the packs
      }
      if ((j - j_begin + 1) % (most_additions / (2 * width)) == 0) instrument.hand_over();
    }
    instrument.hand_over();
  }

  /// Computes one pack of each plane.
  template <int Planes, bool NonTemporal, Ghosts Beyond, class Instrument_>
  KOKKOS_FORCEINLINE_FUNCTION void column(const Update& step, Faces<Planes>& faces, int i, int j,
                                          int k, Instrument_& instrument) const {
    constexpr int dim = Update::dimensions;
    faces.begin_pack(i);
    const auto load_T = [&](int plane) { return load_unaligned<Pack<Real>>(&step.T(i, j, plane)); };
    Pack<Real> below, here = load_T(k), above;
    if constexpr (dim > 2) below = load_T(k - 1);
    if constexpr (dim > 2 && NonTemporal) fetch_ahead<Planes>(step, i, j, k);
    HALOTHERM_UNROLL
    for (int n = 0; n < Planes; ++n) {
      if constexpr (dim > 2) above = load_T(k + n + 1);
      auto star = step.star_between(below, here, above, i, j, k + n);
      if constexpr (Beyond == Ghosts::x)
        step.sides.template replace_ghosts_across<0>(star, i, j, k + n);
      if constexpr (Beyond == Ghosts::any) step.sides.replace_ghosts(star, i, j, k + n);
      const auto result =
          step.op.template operator()<dim>(star, faces.of_plane(n, star), i, j, k + n);
      instrument.add(result, before_step(step.op, star, i, j, k + n), i, j, k + n);
      Real* to = &step.next(i, j, k + n);
      if constexpr (NonTemporal) {
        store_non_temporal(to, result);
      } else {
        store(to, result);
      }
      below = here;
      here = above;
    }
  }

  template <class Instrument_>
  KOKKOS_FORCEINLINE_FUNCTION void cell(const Update& step, int i, int j, int k,
                                        Instrument_& instrument) const {
    step.next(i, j, k) = step.template operator()<Real>(
        i, j, k, step.row_at_side(j, k) || step.sides.at(0, i), instrument);
  }

  static bool misaligned(const Real* cell) {
    return reinterpret_cast<std::uintptr_t>(cell) % pack_bytes != 0;
  }

  /// Hardware prefetchers follow rows but not from plane to plane.
  template <int Planes>
  static KOKKOS_FORCEINLINE_FUNCTION void fetch_ahead(const Update& step, int i, int j, int k) {
    HALOTHERM_UNROLL
    for (int n = 0; n < Planes; ++n)
      __builtin_prefetch(&step.T(i, j + rows_ahead, k + Planes + n), 0, 2);
    if constexpr (Planes == 1) __builtin_prefetch(&step.T(i, j + 1, k + 1), 0, 3);
  }
};

}  // namespace halotherm::solver
