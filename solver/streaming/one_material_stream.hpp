// SPDX-License-Identifier: MIT
// Streams within one material whose K follows the temperatures.
#pragma once

#include "comm/device/prefetch.hpp"
#include "solver/streaming/one_material.hpp"
#include "solver/streaming/one_material_faces.hpp"

namespace halotherm::solver {

/// A thread's way from plane k to `end` in an update of which only K varies (one_material.hpp),
/// with rows of packs from (i, j) on that have no neighbours beyond sides across y and z; it writes
/// those from row `first` on. It has no branches for other sides, materials and coefficients:
/// half of the instructions that a cell takes elsewhere.
template <int Rows, class Real, class Widths, class Operator>
KOKKOS_FORCEINLINE_FUNCTION void stream_within_material(
    const Update<3, Real, TabulatedMedium<Real, Widths>, Operator>& update, int i, int j, int first,
    int k, int end) {
  const auto op = within_material(update.op);
  const std::int64_t row = update.T.row, plane = update.T.plane;
  const bool at_x = update.sides.at(0, i, Pack<Real>::width);
  const Real* T = &update.T(i, j, k);
  Real* to = &update.next(i, j, k);
  StreamedCells<3, Rows, Real> cells(T, row, plane);
  OneMaterialFaces<Rows, Real, Widths> faces(update.medium, i, j, k, cells);
  for (; k < end; ++k) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) comm::prefetch(T + r * row + 2 * plane);
    cells.arrive(T, row, plane);
    if (at_x) cells.replace_ghosts_x(update.sides, i, j, k);
    faces.follow(cells);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const auto result = op.template operator()<3>(cells.star(r), faces.of_row(r), i, j + r, k);
      if (j + r >= first) store(to + r * update.next.row, result);
    }
    faces.depart();
    cells.depart();
    T += plane;
    to += update.next.plane;
  }
}

}  // namespace halotherm::solver
