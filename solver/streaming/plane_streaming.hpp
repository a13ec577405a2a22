// SPDX-License-Identifier: MIT
// Plane streaming (2.5-D blocking) on GPUs: threads move from plane to plane and keep in registers
// what the next plane needs again (after Micikevicius 2009, "3D Finite Difference Computation on
// GPUs").
#pragma once

#include "comm/device/prefetch.hpp"
#include "comm/device/tile.hpp"
#include "solver/diagnostics/instrument.hpp"
#include "solver/equation/update.hpp"
#include "solver/medium/medium_traits.hpp"
#include "solver/streaming/streamed_kinds_faces.hpp"
#include "solver/streaming/streamed_stored_faces.hpp"
#include "solver/streaming/streamed_tabulated_faces.hpp"

#include <algorithm>

namespace halotherm::solver {

/// The temperatures that a thread holds: its current rows and their neighbours. In three dimensions
/// it moves from plane to plane with the same rows, in two from rows to the next rows.
template <int Dim, int Rows, class Real>
struct StreamedCells {
  using Cells = Pack<Real>;
  Cells below[Rows], here[Rows], above[Rows];
  Cells south, north;
  Real before[Rows], after[Rows];

  /// `T` is the first cell of the first row.
  KOKKOS_FORCEINLINE_FUNCTION StreamedCells(const Real* T, std::int64_t row, std::int64_t plane) {
    if constexpr (Dim == 2) {
      south = load<Cells>(T - row);
      here[0] = load<Cells>(T);
    } else {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        below[r] = load<Cells>(T + r * row - plane);
        here[r] = load<Cells>(T + r * row);
      }
    }
  }

  /// Loads what the current rows need, all before the first use, so that the loads overlap.
  KOKKOS_FORCEINLINE_FUNCTION void arrive(const Real* T, std::int64_t row, std::int64_t plane) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if constexpr (Dim > 2) above[r] = load<Cells>(T + r * row + plane);
      if (Dim == 2 && r > 0) here[r] = load<Cells>(T + r * row);
    }
    if constexpr (Dim > 2) south = load<Cells>(T - row);
    north = load<Cells>(T + Rows * row);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      before[r] = load<Real>(T + r * row - 1);
      after[r] = load<Real>(T + r * row + Cells::width);
    }
  }

  /// Puts ghost temperatures where neighbours of the rows from (i, j, k) on lie beyond a side
  /// across x.
  KOKKOS_FORCEINLINE_FUNCTION void replace_ghosts_x(const Sides<Real>& sides, int i, int j, int k) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      if (sides.at_lower(0, i, Cells::width)) {
        const auto affine = sides.template condition_of<0>(0, i, j + r, k);
        before[r] = affine.alpha * here[r].lanes[0] + affine.beta;
      }
      if (sides.at_upper(0, i, Cells::width)) {
        const auto affine = sides.template condition_of<0>(1, i, j + r, k);
        const int last = sides.owned.upper[0] - 1 - i;
        HALOTHERM_UNROLL
        for (int n = 0; n < Cells::width; ++n) {
          if (n != last) continue;
          const Real ghost = affine.alpha * here[r].lanes[n] + affine.beta;
          if (n + 1 < Cells::width) {
            here[r].lanes[n + 1 < Cells::width ? n + 1 : n] = ghost;  // no cell's lane
          } else {
            after[r] = ghost;
          }
        }
      }
    }
  }

  /// Puts ghost temperatures where neighbours lie beyond a side across y or z.
  KOKKOS_FORCEINLINE_FUNCTION void replace_ghosts_yz(const Sides<Real>& sides, int i, int j,
                                                     int k) {
    if (sides.at_lower(1, j)) south = sides.template ghosts<1>(0, here[0], i, j, k);
    if (sides.at_upper(1, j + Rows - 1))
      north = sides.template ghosts<1>(1, here[Rows - 1], i, j + Rows - 1, k);
    if constexpr (Dim > 2) {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        if (sides.at_lower(2, k)) below[r] = sides.template ghosts<2>(0, here[r], i, j + r, k);
        if (sides.at_upper(2, k)) above[r] = sides.template ghosts<2>(1, here[r], i, j + r, k);
      }
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

  /// Keeps what the next rows need again.
  KOKKOS_FORCEINLINE_FUNCTION void depart() {
    if constexpr (Dim == 2) {
      south = here[Rows - 1];
      here[0] = north;
    } else {
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        below[r] = here[r];
        here[r] = above[r];
      }
    }
  }
};

/// A box, divided into tiles for threads that stream with `Rows` rows.
template <int Dim, int Rows>
struct StreamedBox {
  comm::Box box;
  comm::TileGrid cut;
  /// in two dimensions: how many times `Rows` rows a thread computes, one after the other
  int bands = 1;

  StreamedBox() = default;

  /// Follows `tile` except for its rows, as far as the box allows: at least `Rows` rows. `width`
  /// and `aligned`: as in TileGrid.
  StreamedBox(const comm::Box& the_box, comm::Tile tile, int width, int aligned)
      : box(the_box), bands(Dim == 2 ? std::clamp(tile.planes, 1, the_box.extent(1) / Rows) : 1) {
    tile.rows = Rows * bands;
    cut = comm::TileGrid(box, tile, width, aligned);
  }
};

/// One thread's stream: `Rows` rows of a pack at a time.
template <int Dim, int Rows, bool Isotropic, class Update, class Real>
struct PlaneStream {
  static constexpr int width = Pack<Real>::width;
  using Cells = Pack<Real>;
  using Medium = decltype(Update::medium);
  using Faces = StreamedFaces<Dim, Rows, Isotropic, Medium>;
  using Part = StreamedBox<Dim, Rows>;
  /// that share a multiprocessor
  static constexpr unsigned teams = MediumTraits<Medium>::teams(Rows, Isotropic);

  Update update;

  Part part(const comm::Box& box, const comm::Tile& tile) const {
    return {box, tile, width, update.sides.owned.lower[0]};
  }

  template <class Instrument_>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Part& part, int team, int thread,
                                              Instrument_& instrument) const {
    const auto& box = part.box;
    const auto piece = part.cut.piece(team, thread);
    if (piece.i >= box.upper[0] || piece.j >= box.upper[1]) return;
    const int i = piece.i;
    // the last rows are computed together with some before them, by two threads alike, but written
    // by one
    const int rows = Rows * (Dim == 2 ? part.bands : 1);
    const int j_begin = Kokkos::min(piece.j, box.upper[1] - rows);
    const int j_end = j_begin + rows;
    const bool whole =
        i >= box.lower[0] && i + width <= box.upper[0];  // all lanes are cells of the box
    // known once, so that most threads pass by the sides all along; a branch waits for loads, so it
    // comes after all of them
    const auto& sides = update.sides;
    const bool at_x = sides.at(0, i, width);
    const bool at_yz = sides.at(1, j_begin, rows) ||
                       (Dim > 2 && sides.at(2, piece.k_begin, piece.k_end - piece.k_begin));

    const Real* T = &update.T(i, j_begin, piece.k_begin);
    Real* to = &update.next(i, j_begin, piece.k_begin);
    Faces faces(update.medium, i, j_begin, piece.k_begin);
    StreamedCells<Dim, Rows, Real> cells(T, update.T.row, update.T.plane);
    int j = j_begin;
    int k = piece.k_begin;
    while (Dim == 2 ? j < j_end : k < piece.k_end) {
      // few threads share a multiprocessor: loads alone would come too late
      if constexpr (MediumTraits<Medium>::prefetches)
        comm::prefetch(T + 2 * (Dim == 2 ? Rows * update.T.row : update.T.plane));
      cells.arrive(T, update.T.row, update.T.plane);
      faces.arrive(at_x);
      if (at_x) cells.replace_ghosts_x(sides, i, j, k);
      if (at_yz) cells.replace_ghosts_yz(sides, i, j, k);
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        const auto star = cells.star(r);
        const Cells result =
            update.op.template operator()<Dim>(star, faces.of_row(r, star), i, j + r, k);
        if ((Dim == 2 || Rows > 1) && j + r < piece.j) continue;
        const Cells before = before_step(update.op, star, i, j + r, k);
        if (whole) {
          if constexpr (Instrument_::results_are_stored) store(to + r * update.next.row, result);
          instrument.add(result, before, i, j + r, k);
        } else {
          const int begin = Kokkos::max(box.lower[0] - i, 0);
          const int end = Kokkos::min(box.upper[0] - i, int{width});
          if constexpr (Instrument_::results_are_stored)
            store_lanes(to + r * update.next.row, result, begin, end);
          instrument.add(result, before, i, j + r, k, begin, end);
        }
      }
      faces.depart();
      cells.depart();
      (Dim == 2 ? j : k) += Dim == 2 ? Rows : 1;
      T += Dim == 2 ? Rows * update.T.row : update.T.plane;
      to += Dim == 2 ? Rows * update.next.row : update.next.plane;
    }
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION void store_lanes(Real* to, const Cells& result, int begin,
                                                      int end) {
    HALOTHERM_UNROLL
    for (int n = 0; n < width; ++n) {
      if (begin <= n && n < end) to[n] = result.lanes[n];
    }
  }
};

}  // namespace halotherm::solver
