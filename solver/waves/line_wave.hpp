// SPDX-License-Identifier: MIT
// Several steps in one pass over memory on GPUs, in two dimensions: warps stream through the rows
// of a tile, and each step follows the one before by a row.
#pragma once

#include "solver/equation/update.hpp"
#include "solver/waves/wave_tiles.hpp"

namespace halotherm::solver {

/// As TileWave (tile_wave.hpp), but all rows stay in registers, and warps are on their own.
template <class Tile, class Update, class Real>
struct LineWave {
  using Bounds = Kokkos::LaunchBounds<Tile::threads, 3>;

  Update update;
  WaveWork work;  ///< its teams are warps

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread) const {
    const int warp = team * Tile::warps + thread / comm::warp_size;
    if (warp >= work.teams) return;
    for_each_tile(work, warp, [&](int tile, int begin, int end) {
      Columns(*this, tile, thread % comm::warp_size).stream(begin, end);
    });
  }

 private:
  using Cells = Pack<Real>;
  static constexpr int width = Cells::width, steps = Tile::steps, packs = Tile::packs;

  /// What a lane has of a tile.
  class Columns {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Columns(const LineWave& wave, int tile, int lane)
        : update_(wave.update), needed_(wave.work.needed) {
      const auto& x = wave.work.x;
      i_ = x.begin_of(tile) + lane * packs * width;
      begin_ = x.lower_of(tile) - i_;
      end_ = x.upper_of(tile) - i_;
      // packs beyond the cells that exist repeat the last one and have no meaning
      const int last = needed_.upper[0] - 1 - x.begin;
      last_ = x.begin + last - last % width;
      plain_ = wave.work.end_of(tile) == TileEnd::plain;
      lower_ = sides().condition[0][0].present ? sides().owned.lower[0] - i_ : -1;
      upper_ = sides().condition[0][1].present ? sides().owned.upper[0] - 1 - i_ : -1;
    }

    /// Computes the rows from `begin` to `end`.
    KOKKOS_FORCEINLINE_FUNCTION void stream(int begin, int end) {
      const int first = Kokkos::max(begin - steps, needed_.lower[1]), last = end - 1 + steps;
      fetch(first);
      for (int j = first;; j += 2) {
        turn<0>(j, begin);
        if (j + 1 > last) break;
        turn<1>(j + 1, begin);
        if (j + 2 > last) break;
      }
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION const Sides<Real>& sides() const { return update_.sides; }
    KOKKOS_FORCEINLINE_FUNCTION int pack_at(int p) const {
      return Kokkos::min(i_ + p * width, last_);
    }
    KOKKOS_FORCEINLINE_FUNCTION void fetch(int j) {
      if (j >= needed_.upper[1]) return;
      HALOTHERM_UNROLL
      for (int p = 0; p < packs; ++p) ahead_[p] = load<Cells>(&update_.T(pack_at(p), j, 0));
    }
    KOKKOS_FORCEINLINE_FUNCTION Cells ghosts(int axis, int end, const Cells& inside) const {
      return ghosts_beyond(sides().condition[axis][end], inside);
    }

    /// The row j arrives; step s ends the row j - s.
    template <int Turn>
    KOKKOS_FORCEINLINE_FUNCTION void turn(int j, int begin) {
      const int beyond = sides().owned.upper[1];
      const bool at_end = sides().condition[1][1].present && j >= beyond;
      if (plain_ && !at_end) {
        take<Turn, false>(j, begin);
      } else {
        take<Turn, true>(j, begin);
      }
      put_ghosts_below<Turn>(j);
    }

    template <int Turn, bool AtSide>
    KOKKOS_FORCEINLINE_FUNCTION void take(int j, int begin) {
      Cells above[packs];
      HALOTHERM_UNROLL
      for (int p = 0; p < packs; ++p) above[p] = ahead_[p];
      fetch(j + 1);
      HALOTHERM_UNROLL
      for (int s = 1; s <= steps; ++s) {
        const auto& here = rows_[s - 1][1 - Turn];
        auto& below = rows_[s - 1][Turn];
        const Real before = comm::from_lane_below(here[packs - 1].lanes[width - 1]);
        const Real after = comm::from_lane_above(here[0].lanes[0]);
        const bool upper = AtSide && sides().at_upper(1, j - s);
        HALOTHERM_UNROLL
        for (int p = 0; p < packs; ++p) {
          Star<2, Cells> star;
          star.here = here[p];
          star.lower[0] =
              shifted_up(here[p], p > 0 ? here[p > 0 ? p - 1 : 0].lanes[width - 1] : before);
          star.upper[0] = shifted_down(
              here[p], p + 1 < packs ? here[p + 1 < packs ? p + 1 : p].lanes[0] : after);
          star.lower[1] = below[p];
          star.upper[1] = upper ? ghosts(1, 1, here[p]) : above[p];
          if constexpr (AtSide) put_ghosts_across_x(star, p);
          const int row = Kokkos::min(Kokkos::max(j - s, needed_.lower[1]), needed_.upper[1] - 1);
          below[p] = above[p];
          above[p] = update_.op.template operator()<2>(
              star, update_.medium.faces_of(star, pack_at(p), row, 0), pack_at(p), row, 0);
        }
      }
      if (j - steps >= begin) put<AtSide>(j - steps, above);
    }

    /// Without branches, which would part what can overlap.
    KOKKOS_FORCEINLINE_FUNCTION void put_ghosts_across_x(Star<2, Cells>& star, int p) const {
      const auto lower = ghosts(0, 0, star.here), upper = ghosts(0, 1, star.here);
      HALOTHERM_UNROLL
      for (int n = 0; n < width; ++n) {
        const int cell = p * width + n;
        star.lower[0].lanes[n] = cell == lower_ ? lower.lanes[n] : star.lower[0].lanes[n];
        star.upper[0].lanes[n] = cell == upper_ ? upper.lanes[n] : star.upper[0].lanes[n];
      }
    }

    /// Beyond the lower side across y, for the next row.
    template <int Turn>
    KOKKOS_FORCEINLINE_FUNCTION void put_ghosts_below(int j) {
      const int lower = sides().owned.lower[1];
      if (!sides().condition[1][0].present || j < lower || j >= lower + steps) return;
      HALOTHERM_UNROLL
      for (int s = 0; s < steps; ++s) {
        if (j - s != lower) continue;
        HALOTHERM_UNROLL
        for (int p = 0; p < packs; ++p) rows_[s][1 - Turn][p] = ghosts(1, 0, rows_[s][Turn][p]);
      }
    }

    template <bool AtSide>
    KOKKOS_FORCEINLINE_FUNCTION void put(int j, const Cells (&results)[packs]) const {
      Real* const to = &update_.next(i_, j, 0);
      HALOTHERM_UNROLL
      for (int p = 0; p < packs; ++p) {
        if (begin_ <= p * width && (p + 1) * width <= end_) {
          store(to + p * width, results[p]);
        } else if (AtSide) {
          HALOTHERM_UNROLL
          for (int n = 0; n < width; ++n) {
            const int cell = p * width + n;
            if (begin_ <= cell && cell < end_) to[cell] = results[p].lanes[n];
          }
        }
      }
    }

    const Update& update_;
    const comm::Box& needed_;
    int i_, last_;                 ///< the first cell, and the first of the last pack that exists
    int begin_, end_;              ///< the cells whose results are stored, from i_ on
    int lower_, upper_;            ///< the cells at the sides across x, from i_ on
    bool plain_;                   ///< no side across x, nor an end of the box within a pack
    Cells ahead_[packs];           ///< of the next row before the steps
    Cells rows_[steps][2][packs];  ///< before each step, in turns of rows
  };
};

}  // namespace halotherm::solver
