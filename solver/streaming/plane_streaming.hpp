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
#include "solver/streaming/one_material_stream.hpp"
#include "solver/streaming/streamed_cells.hpp"
#include "solver/streaming/streamed_kinds_faces.hpp"
#include "solver/streaming/streamed_stored_faces.hpp"
#include "solver/streaming/streamed_tabulated_faces.hpp"

#include <algorithm>
#include <type_traits>

namespace halotherm::solver {

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

/// One thread's stream: `Rows` rows of a pack at a time. With tables more rows than one are for
/// updates within one material (one_material.hpp).
template <int Dim, int Rows, bool Isotropic, class Update, class Real>
struct PlaneStream {
  static constexpr int width = Pack<Real>::width;
  using Cells = Pack<Real>;
  using Medium = decltype(Update::medium);
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
    // the last rows are computed together with some before them, by two threads alike, but written
    // by one
    const int rows = Rows * (Dim == 2 ? part.bands : 1);
    const int j_begin = Kokkos::min(piece.j, box.upper[1] - rows);
    if constexpr (Rows > 1 && MediumTraits<Medium>::rows_within_materials) {
      static_assert(std::is_same_v<Instrument_, NoInstrument>);
      if (is_whole(box, piece.i) && !is_at_yz(piece, j_begin, rows)) {
        stream_within_material<Rows>(update, thread, piece.i, j_begin, piece.j, piece.k_begin,
                                     piece.k_end);
      } else {
        for (int j = piece.j; j < j_begin + rows; ++j) stream<1>(box, piece, j, j + 1, instrument);
      }
    } else {
      stream<Rows>(box, piece, j_begin, j_begin + rows, instrument);
    }
  }

 private:
  /// Whether all lanes of a pack are cells of the box.
  static KOKKOS_FORCEINLINE_FUNCTION bool is_whole(const comm::Box& box, int i) {
    return i >= box.lower[0] && i + width <= box.upper[0];
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_at_yz(const comm::TileGrid::Piece& piece, int j,
                                            int rows) const {
    return update.sides.at(1, j, rows) ||
           (Dim > 2 && update.sides.at(2, piece.k_begin, piece.k_end - piece.k_begin));
  }

  /// `Current` rows at a time from j_begin to j_end, of which those from the piece's on are
  /// written.
  template <int Current, class Instrument_>
  KOKKOS_FORCEINLINE_FUNCTION void stream(const comm::Box& box, const comm::TileGrid::Piece& piece,
                                          int j_begin, int j_end, Instrument_& instrument) const {
    const int i = piece.i;
    const bool whole = is_whole(box, i);
    // known once, so that most threads pass by the sides all along; a branch waits for loads, so it
    // comes after all of them
    const auto& sides = update.sides;
    const bool at_x = sides.at(0, i, width);
    const bool at_yz = is_at_yz(piece, j_begin, j_end - j_begin);

    const Real* T = &update.T(i, j_begin, piece.k_begin);
    Real* to = &update.next(i, j_begin, piece.k_begin);
    StreamedFaces<Dim, Current, Isotropic, Medium> faces(update.medium, i, j_begin, piece.k_begin);
    StreamedCells<Dim, Current, Real> cells(T, update.T.row, update.T.plane);
    int j = j_begin;
    int k = piece.k_begin;
    while (Dim == 2 ? j < j_end : k < piece.k_end) {
      // few threads share a multiprocessor: loads alone would come too late
      if constexpr (MediumTraits<Medium>::prefetches)
        comm::prefetch(T + 2 * (Dim == 2 ? Current * update.T.row : update.T.plane));
      cells.arrive(T, update.T.row, update.T.plane);
      faces.arrive(at_x);
      if (at_x) cells.replace_ghosts_x(sides, i, j, k);
      if (at_yz) cells.replace_ghosts_yz(sides, i, j, k);
      HALOTHERM_UNROLL
      for (int r = 0; r < Current; ++r) {
        const auto star = cells.star(r);
        const Cells result =
            update.op.template operator()<Dim>(star, faces.of_row(r, star), i, j + r, k);
        if ((Dim == 2 || Current > 1) && j + r < piece.j) continue;
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
      (Dim == 2 ? j : k) += Dim == 2 ? Current : 1;
      T += Dim == 2 ? Current * update.T.row : update.T.plane;
      to += Dim == 2 ? Current * update.next.row : update.next.plane;
    }
  }

  static KOKKOS_FORCEINLINE_FUNCTION void store_lanes(Real* to, const Cells& result, int begin,
                                                      int end) {
    HALOTHERM_UNROLL
    for (int n = 0; n < width; ++n) {
      if (begin <= n && n < end) to[n] = result.lanes[n];
    }
  }
};

}  // namespace halotherm::solver
