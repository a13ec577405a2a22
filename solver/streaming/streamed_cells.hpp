// SPDX-License-Identifier: MIT
// The temperatures that a streaming thread holds.
#pragma once

#include "solver/equation/sides.hpp"
#include "solver/field/pack.hpp"
#include "solver/medium/stencil.hpp"

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
    arrive_beside(T, row);
  }
  KOKKOS_FORCEINLINE_FUNCTION void arrive_beside(const Real* T, std::int64_t row) {
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

}  // namespace halotherm::solver
