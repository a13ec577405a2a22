// SPDX-License-Identifier: MIT
// Several steps in one pass over memory on GPUs: teams stream through the planes of a tile, and
// each step follows the one before by a plane.
#pragma once

#include "comm/device/shared_memory.hpp"
#include "solver/equation/update.hpp"
#include "solver/waves/wave_tiles.hpp"

namespace halotherm::solver {

/// The temperatures before the steps are `update.T`, those after all of them go to `update.next`.
/// The last of the steps follows the planes that arrive by as many planes as there are steps.
/// Temperatures before the steps wait in shared memory, those between steps in registers: of each
/// step but the last, two planes of a thread's cells.
template <class Tile, class Update, class Real>
struct TileWave {
  using Bounds = Kokkos::LaunchBounds<Tile::threads, 1>;
  using Shared = WaveShared<Tile, Real>;

  Update update;
  WaveWork work;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread, void* shared) const {
    for_each_tile(work, team, [&](int tile, int begin, int end) {
      Columns(*this, tile, thread, *static_cast<Shared*>(shared)).stream(begin, end);
    });
  }

 private:
  using Cells = Pack<Real>;
  static constexpr int width = Cells::width, steps = Tile::steps, rows = Tile::rows;

  /// What a thread has of a tile: a pack of cells in some rows.
  class Columns {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Columns(const TileWave& wave, int tile, int thread, Shared& shared)
        : update_(wave.update),
          needed_(wave.work.needed),
          shared_(shared),
          warp_(thread / comm::warp_size),
          lane_(thread % comm::warp_size) {
      const auto& x = wave.work.x;
      const auto& y = wave.work.y;
      const int tile_x = tile % x.count, tile_y = tile / x.count;
      const int first_x = x.begin_of(tile_x), first_y = y.begin_of(tile_y);
      // packs beyond the cells that exist repeat the last ones and have no meaning
      const int at = first_x + lane_ * width, last = needed_.upper[0] - 1 - x.begin;
      i_ = Kokkos::min(at, x.begin + last - last % width);
      j_ = first_y + warp_ * rows;
      const int lower = x.lower_of(tile_x), upper = x.upper_of(tile_x);
      begin_lane_ = Kokkos::max(lower - at, 0);
      end_lane_ = Kokkos::min(upper - at, int{width});
      begin_row_ = y.lower_of(tile_y) - j_;
      end_row_ = end_lane_ > begin_lane_ ? y.upper_of(tile_y) - j_ : begin_row_;
      begin_fetch_ = needed_.lower[1] - j_;
      end_fetch_ = at == i_ ? needed_.upper[1] - j_ : begin_fetch_;
      end_ = wave.work.end_of(tile_x);
      before_ = &shared_.before[0][warp_ * rows][lane_];
      lower_lane_ = sides().condition[0][0].present ? sides().owned.lower[0] - i_ : -1;
      upper_lane_ = sides().condition[0][1].present ? sides().owned.upper[0] - 1 - i_ : -1;
      lower_rows_ = sides().at_lower(1, j_ + 1);
      upper_rows_ = sides().at_upper(1, j_ + rows - 2);
      constexpr int never = 1 << 30;
      end_of_lower_ = sides().condition[2][0].present ? sides().owned.lower[2] + steps : -never;
      begin_of_upper_ = sides().condition[2][1].present ? sides().owned.upper[2] : never;
      row_ = static_cast<int>(update_.T.row);
    }

    /// Computes the planes from `begin` to `end`.
    KOKKOS_FORCEINLINE_FUNCTION void stream(int begin, int end) {
      const int first = Kokkos::max(begin - steps, needed_.lower[2]), last = end - 1 + steps;
      from_ = &update_.T(i_, j_, first);
      to_ = &update_.next(i_, j_, first - steps);
      comm::team_barrier();  // others may still read what is of another tile
      fetch(first);
      for (int k = first;; k += 2) {
        turn<0>(k, begin);
        if (k + 1 > last) break;
        turn<1>(k + 1, begin);
        if (k + 2 > last) break;
      }
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION const Sides<Real>& sides() const { return update_.sides; }

    /// Begins to bring the temperatures of a plane before the steps.
    KOKKOS_FORCEINLINE_FUNCTION void fetch(int k) {
      if (k >= needed_.upper[2]) return;
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (r >= begin_fetch_ && r < end_fetch_)
          comm::copy_to_shared(&before(k, r), from_ + r * row_);
      }
      from_ += update_.T.plane;
    }
    /// Of a row of the tile, counted from the warp's first one.
    KOKKOS_FORCEINLINE_FUNCTION Cells& before(int k, int r) const {
      return before_[((k & (Shared::planes - 1)) * Tile::height + r) * comm::warp_size];
    }
    KOKKOS_FORCEINLINE_FUNCTION Cells& edge(int step, int turn, int warp, int last) const {
      return shared_.edge[step - 1][turn][warp][last][lane_];
    }
    /// The row and the plane of cells, or those that exist beside it.
    KOKKOS_FORCEINLINE_FUNCTION int row_at(int r) const {
      return Kokkos::min(Kokkos::max(j_ + r, needed_.lower[1]), needed_.upper[1] - 1);
    }
    KOKKOS_FORCEINLINE_FUNCTION int plane_at(int k) const {
      return Kokkos::min(Kokkos::max(k, needed_.lower[2]), needed_.upper[2] - 1);
    }

    /// The plane k has arrived; step s ends the plane k - s.
    template <int Turn>
    KOKKOS_FORCEINLINE_FUNCTION void turn(int k, int begin) {
      comm::await_copies_to_shared();
      const bool has_ghosts =
          lower_rows_ || upper_rows_ || k < end_of_lower_ || k >= begin_of_upper_;
      if (has_ghosts) put_ghosts_before(k);
      comm::team_barrier();
      fetch(k + 1);
      const int end_row = k - steps < begin ? begin_row_ : end_row_;
      if (end_ == TileEnd::any || k > begin_of_upper_) {
        take<Turn, TileEnd::any>(k, end_row);
      } else if (end_ == TileEnd::plain) {
        take<Turn, TileEnd::plain>(k, end_row);
      } else if (end_ == TileEnd::lower_side) {
        take<Turn, TileEnd::lower_side>(k, end_row);
      } else {
        take<Turn, TileEnd::upper_side>(k, end_row);
      }
      if (has_ghosts) put_ghosts_between<Turn>(k);
    }

    KOKKOS_FORCEINLINE_FUNCTION Cells ghosts(int axis, int end, const Cells& inside) const {
      return ghosts_beyond(sides().condition[axis][end], inside);
    }
    /// Before the steps, beyond the sides across y and z.
    KOKKOS_FORCEINLINE_FUNCTION void put_ghosts_before(int k) const {
      if (lower_rows_) before(k, 0) = ghosts(1, 0, before(k, 1));
      if (upper_rows_) before(k, rows - 1) = ghosts(1, 1, before(k, rows - 2));
      const bool lower = sides().at_lower(2, k), upper = sides().at_upper(2, k - 1);
      if (!lower && !upper) return;
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (lower) before(k - 1, r) = ghosts(2, 0, before(k, r));
        if (upper) before(k, r) = ghosts(2, 1, before(k - 1, r));
      }
    }
    /// After each step but the last, beyond the sides across y and the lower one across z.
    template <int Turn>
    KOKKOS_FORCEINLINE_FUNCTION void put_ghosts_between(int k) {
      static_assert(rows > 1);
      HALOTHERM_UNROLL
      for (int s = 0; s < steps - 1; ++s) {
        auto& after = between_[s][Turn];
        if (lower_rows_) after[0] = ghosts(1, 0, after[1]);
        if (upper_rows_) after[rows - 1] = ghosts(1, 1, after[rows - 2]);
      }
      if (k >= end_of_lower_) return;
      HALOTHERM_UNROLL
      for (int s = 0; s < steps - 1; ++s) {
        if (k - (s + 1) != sides().owned.lower[2]) continue;
        HALOTHERM_UNROLL
        for (int r = 0; r < rows; ++r)
          between_[s][1 - Turn][r] = ghosts(2, 0, between_[s][Turn][r]);
      }
    }

    /// The steps in a plane each.
    template <int Turn, TileEnd At>
    KOKKOS_FORCEINLINE_FUNCTION void take(int k, int end_row) {
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        Cells above = before(k, r);
        HALOTHERM_UNROLL
        for (int s = 1; s <= steps; ++s) {
          const Cells result = advanced<Turn, At>(s, k - s, r, above);
          if (s > 1) between_[s > 1 ? s - 2 : 0][Turn][r] = above;
          above = result;
          if (s == steps) continue;
          if (r == 0) edge(s, Turn, warp_, 0) = result;
          if (r == rows - 1) edge(s, Turn, warp_, 1) = result;
          if (At == TileEnd::any && sides().at_upper(2, k - s - 1))
            above = ghosts(2, 1, between_[s < steps ? s - 1 : 0][1 - Turn][r]);
        }
        put<At>(to_ + r * row_, above, r >= begin_row_ && r < end_row);
      }
      to_ += update_.next.plane;
    }
    template <TileEnd At>
    KOKKOS_FORCEINLINE_FUNCTION void put(Real* to, const Cells& result, bool counts) const {
      if constexpr (At != TileEnd::any) {
        if (counts) store(to, result);
      } else {
        HALOTHERM_UNROLL
        for (int n = 0; n < width; ++n) {
          if (counts && begin_lane_ <= n && n < end_lane_) to[n] = result.lanes[n];
        }
      }
    }

    /// The temperatures after step s in the plane k, where those before it are `above` in the plane
    /// above.
    template <int Turn, TileEnd At>
    KOKKOS_FORCEINLINE_FUNCTION Cells advanced(int s, int k, int r, const Cells& above) const {
      Star<3, Cells> star;
      star.upper[2] = above;
      if (s == 1) {
        star.here = before(k, r);
        star.lower[2] = before(k - 1, r);
        // the team's first and last row have no meaning
        star.lower[1] = before(k, r > 0 || warp_ > 0 ? r - 1 : r);
        star.upper[1] = before(k, r + 1 < rows || warp_ + 1 < Tile::warps ? r + 1 : r);
      } else {
        const auto& here = between_[s > 1 ? s - 2 : 0][1 - Turn];
        star.here = here[r];
        star.lower[2] = between_[s > 1 ? s - 2 : 0][Turn][r];
        star.lower[1] =
            r == 0 ? edge(s - 1, 1 - Turn, Kokkos::max(warp_ - 1, 0), 1) : here[r == 0 ? 0 : r - 1];
        star.upper[1] = r == rows - 1
                            ? edge(s - 1, 1 - Turn, Kokkos::min(warp_ + 1, Tile::warps - 1), 0)
                            : here[r == rows - 1 ? r : r + 1];
      }
      star.lower[0] = shifted_up(star.here, comm::from_lane_below(star.here.lanes[width - 1]));
      star.upper[0] = shifted_down(star.here, comm::from_lane_above(star.here.lanes[0]));
      const int row = row_at(r), plane = plane_at(k);
      put_ghosts_across_x<At>(star);
      return update_.op.template operator()<3>(star, update_.medium.faces_of(star, i_, row, plane),
                                               i_, row, plane);
    }

    /// Without branches, which would part what can overlap.
    template <TileEnd At>
    KOKKOS_FORCEINLINE_FUNCTION void put_ghosts_across_x(Star<3, Cells>& star) const {
      // the block's first cell begins a pack
      if (At == TileEnd::lower_side || At == TileEnd::any)
        put_ghost(0, lower_lane_, 0, star.here, star.lower[0]);
      if (At == TileEnd::upper_side) put_ghost(1, upper_lane_, width - 1, star.here, star.upper[0]);
      if (At == TileEnd::any) {
        HALOTHERM_UNROLL
        for (int n = 0; n < width; ++n) put_ghost(1, upper_lane_, n, star.here, star.upper[0]);
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void put_ghost(int end, int side_lane, int n, const Cells& here,
                                               Cells& neighbours) const {
      const Real ghost = ghosts_beyond(sides().condition[0][end], here.lanes[n]);
      neighbours.lanes[n] = n == side_lane ? ghost : neighbours.lanes[n];
    }

    const Update& update_;
    const comm::Box& needed_;
    Shared& shared_;
    const int warp_, lane_;
    int i_, j_;                    ///< of the first cell
    int begin_lane_, end_lane_;    ///< the lanes whose results are stored
    int lower_lane_, upper_lane_;  ///< cells at the sides across x
    int begin_row_, end_row_;      ///< the rows whose results are stored
    int begin_fetch_, end_fetch_;  ///< the rows whose temperatures before the steps are needed
    TileEnd end_;
    Cells* before_;                      ///< of the first row, in the shared planes
    bool lower_rows_, upper_rows_;       ///< the first or the last row lies beyond a side
    int end_of_lower_, begin_of_upper_;  ///< planes that arrive near sides across z
    const Real* from_;                   ///< in the next plane to be fetched, of the first cell
    Real* to_;                           ///< in the next plane to be stored
    int row_;                            ///< from row to row in both
    Cells between_[steps - 1][2][rows];  ///< after each step but the last, in turns of planes
  };
};

}  // namespace halotherm::solver
