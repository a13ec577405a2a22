// SPDX-License-Identifier: MIT
// Streams within one material whose properties follow the temperatures.
#pragma once

#include "comm/device/prefetch.hpp"
#include "solver/streaming/cells_under_way.hpp"
#include "solver/streaming/one_material.hpp"
#include "solver/streaming/one_material_faces.hpp"

namespace halotherm::solver {

/// A thread's way from plane k to `end` within one material, with the operator there.
template <int Rows, class Real, class Widths, class Operator, class OperatorThere>
KOKKOS_FORCEINLINE_FUNCTION void stream_with(
    const Update<3, Real, TabulatedMedium<Real, Widths>, Operator>& update, const OperatorThere& op,
    int thread, int i, int j, int first, int k, int end) {
  const std::int64_t row = update.T.row, plane = update.T.plane;
  const bool at_x = update.sides.at(0, i, Pack<Real>::width);
  const Real* T = &update.T(i, j, k);
  Real* to = &update.next(i, j, k);
  const auto prefetch_plane = [&](int planes_ahead) {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) comm::prefetch(T + r * row + planes_ahead * plane);
  };
  CellsUnderWay<Rows, Real> cells(T, row, plane, end - k, thread);
  prefetch_plane(2);
  OneMaterialFaces<Rows, asks_for_flows_only<OperatorThere>, Real, Widths> faces(update.medium, i,
                                                                                 j, k, cells);
  for (; k < end; ++k) {
    prefetch_plane(3);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) prefetch_stage(op, i, j + r, k + 2);
    cells.arrive(T, row, plane, end - k);
    if (at_x) cells.replace_ghosts_x(update.sides, i, j, k);
    faces.follow(cells);
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const auto star = cells.star(r);
      const auto result = op.template operator()<3>(star, faces.of_row(r, star), i, j + r, k);
      if (j + r >= first) store(to + r * update.next.row, result);
    }
    faces.depart();
    cells.depart();
    T += plane;
    to += update.next.plane;
  }
}

/// A thread's way from plane k to `end` within one material (one_material.hpp), with rows of packs
/// from (i, j) on that have no neighbours beyond sides across y and z; it writes those from row
/// `first` on. It has no branches for other sides, materials and coefficients: half of the
/// instructions that a cell takes elsewhere. `thread`: its rank in the team.
template <int Rows, class Real, class Widths, class Operator>
KOKKOS_FORCEINLINE_FUNCTION void stream_within_material(
    const Update<3, Real, TabulatedMedium<Real, Widths>, Operator>& update, int thread, int i,
    int j, int first, int k, int end) {
  within_material(update.op, [&](const auto& op) {
    stream_with<Rows>(update, op, thread, i, j, first, k, end);
  });
}

}  // namespace halotherm::solver
