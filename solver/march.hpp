// SPDX-License-Identifier: MIT
// A step on GPUs: threads march through planes and keep in registers what the next plane needs again.
#pragma once

#include "comm/tile.hpp"
#include "solver/marching_faces.hpp"
#include "solver/update.hpp"
#include "solver/watch.hpp"

namespace halotherm::solver {

/// The temperatures that a marching thread holds: of its rows in the plane at hand, and of their neighbours.
template <int Dim, int Rows, class Real>
struct MarchingCells {
  using Cells = Pack<Real>;
  Cells below[Rows], here[Rows], above[Rows];
  Cells south, north;
  Real before[Rows], after[Rows];

  /// `T` is the first cell of the first row in the first plane.
  KOKKOS_FORCEINLINE_FUNCTION MarchingCells(const Real* T, std::int64_t row, std::int64_t plane) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      here[r] = load<Cells>(T + r * row);
      if constexpr (Dim > 2) below[r] = load<Cells>(T + r * row - plane);
    }
  }

  /// Loads what the plane needs, all before the first use, so that the loads are under way together.
  KOKKOS_FORCEINLINE_FUNCTION void begin_plane(const Real* T, std::int64_t row, std::int64_t plane) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if constexpr (Dim > 2) above[r] = load<Cells>(T + r * row + plane);
    }
    south = load<Cells>(T - row);
    north = load<Cells>(T + Rows * row);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      before[r] = load<Real>(T + r * row - 1);
      after[r] = load<Real>(T + r * row + Cells::width);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Star<Dim, Cells> star(int r) const {
    Star<Dim, Cells> star;
    star.here = here[r];
    star.lower[0] = shifted_up(here[r], before[r]);
    star.upper[0] = shifted_down(here[r], after[r]);
    star.lower[1] = r > 0 ? here[r > 0 ? r - 1 : 0] : south;
    star.upper[1] = r + 1 < Rows ? here[r + 1 < Rows ? r + 1 : r] : north;
    if constexpr (Dim > 2) {
      star.lower[2] = below[r];
      star.upper[2] = above[r];
    }
    return star;
  }

  KOKKOS_FORCEINLINE_FUNCTION void end_plane() {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if constexpr (Dim > 2) {
        below[r] = here[r];
        here[r] = above[r];
      }
    }
  }
};

/// One thread's march: `Rows` rows of a pack each, in two or three dimensions.
template <int Dim, int Rows, bool Isotropic, class Update, class Real>
struct March {
  static constexpr int width = Pack<Real>::width;
  using Cells = Pack<Real>;
  using Faces = MarchingFaces<Dim, Rows, Isotropic, decltype(Update::medium)>;

  Update update;
  comm::Box box;
  comm::TileCut cut;

  /// `make_watch()` gives the watcher of this thread.
  template <class MakeWatch>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread, const MakeWatch& make_watch) const {
    const auto piece = cut.piece(team, thread);
    if (piece.i >= box.upper[0] || piece.j >= box.upper[1]) return;
    // the last rows are computed together with some before them, by two threads alike, but written by one
    const int j = Kokkos::min(piece.j, box.upper[1] - Rows);
    if (needs_care(piece, j)) {
      march_with_care(piece, j, make_watch);
    } else {
      auto watch = make_watch();
      march<false>(piece, j, watch);
      watch.hand_over();
    }
  }

 private:
  /// Most threads have no side at all, or one across x with one condition for all of its cells, which is simple: they take code
  /// that needs few registers. The same for all threads of a warp, but where a warp covers several rows.
  KOKKOS_FORCEINLINE_FUNCTION bool needs_care(const comm::TileCut::Piece& piece, int j) const {
    const auto& sides = update.sides;
    const int across = piece.tile_end - piece.tile_begin;
    const bool x_lower = sides.at_lower(0, piece.tile_begin, across) && sides.stride[0][0] != 0;
    const bool x_upper = sides.at_upper(0, piece.tile_begin, across) &&
                         (sides.stride[0][1] != 0 || (sides.owned.upper[0] - piece.tile_begin) % width != 0);
    return x_lower || x_upper || sides.at(1, j, Rows) || (Dim > 2 && sides.at(2, piece.k_begin, piece.k_end - piece.k_begin));
  }

  /// Not inlined, so that it does not take registers from those that need none of it.
  template <class MakeWatch>
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  __noinline__
#endif
      KOKKOS_FUNCTION void
      march_with_care(const comm::TileCut::Piece& piece, int j, const MakeWatch& make_watch) const {
    auto watch = make_watch();
    march<true>(piece, j, watch);
    watch.hand_over();
  }

  template <bool Care, class Watcher>
  KOKKOS_FORCEINLINE_FUNCTION void march(const comm::TileCut::Piece& piece, int j, Watcher& watch) const {
    const int i = piece.i;
    const auto& sides = update.sides;
    const bool at_x = !Care && sides.at(0, i, width);
    const bool whole = i >= box.lower[0] && i + width <= box.upper[0];  // all lanes are cells of the box

    const Real* T = &update.T(i, j, piece.k_begin);
    Real* to = &update.next(i, j, piece.k_begin);
    Faces faces(update.medium, i, j, piece.k_begin);
    MarchingCells<Dim, Rows, Real> cells(T, update.T.row, update.T.plane);
    for (int k = piece.k_begin; k < piece.k_end; ++k, T += update.T.plane, to += update.next.plane) {
      cells.begin_plane(T, update.T.row, update.T.plane);
      if (at_x) {
        HALOTHERM_UNROLL
        for (int r = 0; r < Rows; ++r) replace_ends(cells.here[r], i, cells.before[r], cells.after[r]);
      }
      faces.begin_plane(k);
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        auto star = cells.star(r);
        if constexpr (Care) sides.template replace_ghosts<Dim>(star, i, j + r, k);
        const Cells result = update.cells.template next<Dim>(star, faces.of_row(r, k), i, j + r, k);
        if (j + r < piece.j) continue;
        if (whole) {
          store(to + r * update.next.row, result);
          watch.note(result, star.here, i, j + r, k);
        } else {
          const int begin = Kokkos::max(box.lower[0] - i, 0);
          const int end = Kokkos::min(box.upper[0] - i, int{width});
          store_lanes(to + r * update.next.row, result, begin, end);
          watch.note(result, star.here, i, j + r, k, begin, end);
        }
      }
      faces.end_plane();
      cells.end_plane();
    }
  }

  /// The ghosts of sides across x at the ends of a pack, with one condition for all cells of a side.
  KOKKOS_FORCEINLINE_FUNCTION void replace_ends(const Cells& here, int i, Real& before, Real& after) const {
    const auto& sides = update.sides;
    if (sides.at_lower(0, i)) before = sides.condition[0][0][0] * here.lanes[0] + sides.condition[0][0][1];
    if (sides.at_upper(0, i, width)) after = sides.condition[0][1][0] * here.lanes[width - 1] + sides.condition[0][1][1];
  }

  static KOKKOS_FORCEINLINE_FUNCTION void store_lanes(Real* to, const Cells& result, int begin, int end) {
    HALOTHERM_UNROLL
    for (int n = 0; n < width; ++n) {
      if (begin <= n && n < end) to[n] = result.lanes[n];
    }
  }
};

}  // namespace halotherm::solver
