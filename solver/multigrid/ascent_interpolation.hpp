// SPDX-License-Identifier: MIT
// The interpolated correction in a tile of the ascent on GPUs, plane by plane.
#pragma once

#include "comm/device/prefetch.hpp"
#include "comm/device/shared_memory.hpp"
#include "solver/multigrid/ascent_tile.hpp"

namespace halotherm::solver {

/// A thread's part: its pair of columns in its rows of a tile. In each plane of coarse cells the
/// team interpolates along x once, into its shared memory, a plane before each thread takes its
/// rows from there.
template <class Tile>
class TileInterpolation {
  static constexpr int rows = Tile::rows;

 public:
  /// The thread's pair begins at (i, j); the tile has the rows from `first_row` to `last_row`.
  KOKKOS_FORCEINLINE_FUNCTION TileInterpolation(const Ascent& ascent, AscentShared<Tile>& shared,
                                                int thread, int i, int j, int first_row,
                                                int last_row)
      : ascent_(ascent),
        shared_(shared),
        warp_(thread / comm::warp_size),
        lane_(thread % comm::warp_size),
        i_(i),
        j_(j) {
    const auto* const weights = ascent.interpolation.along[1];
    first_line_ = weights[first_row].lower;
    lines_ = weights[last_row].upper + 1 - first_line_;
  }

  /// Before the plane n. All threads of the team must call it, and `next` for each plane from n on.
  KOKKOS_FORCEINLINE_FUNCTION void start(int n) {
    HALOTHERM_UNROLL
    for (int r = 0; r < rows; ++r) high_[r][0] = high_[r][1] = 0;
    weights_ = ascent_.interpolation.along[2][n];
    for (plane_ = weights_.lower - 1; plane_ < weights_.upper;) {
      share();
      comm::team_barrier();
      take();
    }
  }
  /// The values in the plane n.
  KOKKOS_FORCEINLINE_FUNCTION void next(int n, float (&values)[rows][2]) {
    const auto weights = weights_;
    weights_ = ascent_.interpolation.along[2][n + 1];
    if (weights.upper > plane_) take();
    if (weights_.upper > plane_) prefetch();
    HALOTHERM_UNROLL
    for (int r = 0; r < rows; ++r) {
      HALOTHERM_UNROLL
      for (int p = 0; p < 2; ++p)
        values[r][p] = InterpolationView::between(weights, low_[r][p], high_[r][p]);
    }
  }
  /// After `next`, and before a barrier.
  KOKKOS_FORCEINLINE_FUNCTION void share_next() const {
    if (weights_.upper > plane_) share();
  }

 private:
  /// Of a warp, where cells are joined along y.
  static constexpr int lines_at_once = (Tile::height / 2 + 2 + Tile::warps - 1) / Tile::warps;

  /// A line of coarse cells; the last one again if there are fewer.
  KOKKOS_FORCEINLINE_FUNCTION int line_at(int first, int n) const {
    return Kokkos::min(first + n * Tile::warps, lines_ - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION const float* coarse_line(int line) const {
    return &ascent_.coarse(0, first_line_ + line, plane_ + 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION void prefetch() const {
    const int cell = ascent_.interpolation.along[0][i_].lower;
    HALOTHERM_UNROLL
    for (int n = 0; n < lines_at_once; ++n) comm::prefetch(coarse_line(line_at(warp_, n)) + cell);
  }
  /// Interpolates along x for the team, in the coarse plane above the present ones.
  KOKKOS_FORCEINLINE_FUNCTION void share() const {
    const AxisWeights weights[2] = {ascent_.interpolation.along[0][i_],
                                    ascent_.interpolation.along[0][i_ + 1]};
    auto* const lines = shared_.lines[(plane_ + 1) & 1];
    for (int first = warp_; first < lines_; first += lines_at_once * Tile::warps) {
      float lower[lines_at_once][2], upper[lines_at_once][2];
      HALOTHERM_UNROLL
      for (int n = 0; n < lines_at_once; ++n) {
        const float* const line = coarse_line(line_at(first, n));
        HALOTHERM_UNROLL
        for (int p = 0; p < 2; ++p) {
          lower[n][p] = line[weights[p].lower];
          upper[n][p] = line[weights[p].upper];
        }
      }
      HALOTHERM_UNROLL
      for (int n = 0; n < lines_at_once; ++n)
        lines[line_at(first, n)][lane_] = {
            InterpolationView::between(weights[0], lower[n][0], upper[n][0]),
            InterpolationView::between(weights[1], lower[n][1], upper[n][1])};
    }
  }
  /// Takes the next coarse plane, which the team shares.
  KOKKOS_FORCEINLINE_FUNCTION void take() {
    ++plane_;
    const auto* const lines = shared_.lines[plane_ & 1] - first_line_;
    const AxisWeights* const weights = ascent_.interpolation.along[1] + j_;
    HALOTHERM_UNROLL
    for (int r = 0; r < rows; ++r) {
      const auto y = weights[r];  // within the margin, if the row does not exist
      const auto lower = lines[y.lower][lane_], upper = lines[y.upper][lane_];
      HALOTHERM_UNROLL
      for (int p = 0; p < 2; ++p) {
        low_[r][p] = high_[r][p];
        high_[r][p] = InterpolationView::between(y, lower.cell[p], upper.cell[p]);
      }
    }
  }

  const Ascent& ascent_;
  AscentShared<Tile>& shared_;
  const int warp_, lane_, i_, j_;
  int first_line_, lines_;              ///< of coarse cells along x, that the tile takes from
  float low_[rows][2], high_[rows][2];  ///< in two planes of coarse cells
  int plane_;                           ///< the higher one
  AxisWeights weights_;                 ///< of the next plane of fine cells
};

}  // namespace halotherm::solver
