// SPDX-License-Identifier: MIT
// Several steps in one pass over memory on GPUs: teams stream through the planes of a tile, and
// each step follows the one before by a plane.
#pragma once

#include "comm/device/shared_memory.hpp"
#include "solver/waves/tile_place.hpp"

namespace halotherm::solver {

/// The temperatures before the steps are `update.T`, those after all of them go to `update.next`.
/// The last of the steps follows the planes that arrive by as many planes as there are steps.
/// Temperatures before the steps wait in shared memory, those between steps in registers, with the
/// difference across the face below each cell, which is formed once for both of its cells.
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
          at_(wave.work, wave.update.sides, tile, thread) {
      const auto& x = wave.work.x;
      const auto& y = wave.work.y;
      const int tile_x = tile % x.count, tile_y = tile / x.count;
      begin_lane_ = Kokkos::max(x.lower_of(tile_x) - at_.x, 0);
      end_lane_ = Kokkos::min(x.upper_of(tile_x) - at_.x, int{width});
      begin_row_ = y.lower_of(tile_y) - at_.j;
      end_row_ = end_lane_ > begin_lane_ ? y.upper_of(tile_y) - at_.j : begin_row_;
      begin_fetch_ = needed_.lower[1] - at_.j;
      end_fetch_ = at_.exists() ? needed_.upper[1] - at_.j : begin_fetch_;
      end_ = wave.work.end_of(tile_x);
      before_ = &shared_.before[0][at_.warp * rows][at_.lane];
      lower_rows_ = sides().at_lower(1, at_.j + 1);
      upper_rows_ = sides().at_upper(1, at_.j + rows - 2);
      constexpr int never = 1 << 30;
      end_of_lower_ = sides().condition[2][0].present ? sides().owned.lower[2] + steps : -never;
      begin_of_upper_ = sides().condition[2][1].present ? sides().owned.upper[2] : never;
      row_ = static_cast<int>(update_.T.row);
    }

    /// Computes the planes from `begin` to `end`.
    KOKKOS_FORCEINLINE_FUNCTION void stream(int begin, int end) {
      const int first = Kokkos::max(begin - steps, needed_.lower[2]), last = end - 1 + steps;
      from_ = &update_.T(at_.i, at_.j, first);
      to_ = &update_.next(at_.i, at_.j, first - steps);
      comm::team_barrier();  // others may still read what is of another tile
      fetch(first);
      for (int k = first; k <= last; ++k) turn(k, begin);
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
      return shared_.edge[step - 1][turn][warp][last][at_.lane];
    }
    /// The row and the plane of cells, or those that exist beside it.
    KOKKOS_FORCEINLINE_FUNCTION int row_at(int r) const {
      return Kokkos::min(Kokkos::max(at_.j + r, needed_.lower[1]), needed_.upper[1] - 1);
    }
    KOKKOS_FORCEINLINE_FUNCTION int plane_at(int k) const {
      return Kokkos::min(Kokkos::max(k, needed_.lower[2]), needed_.upper[2] - 1);
    }

    /// The plane k has arrived; step s ends the plane k - s.
    KOKKOS_FORCEINLINE_FUNCTION void turn(int k, int begin) {
      comm::await_copies_to_shared();
      const bool has_ghosts =
          lower_rows_ || upper_rows_ || k < end_of_lower_ || k >= begin_of_upper_;
      if (has_ghosts) put_ghosts_before(k);
      comm::team_barrier();
      fetch(k + 1);
      const int end_row = k - steps < begin ? begin_row_ : end_row_;
      if (end_ == TileEnd::any || k < end_of_lower_ || k > begin_of_upper_) {
        take<TileEnd::any>(k, end_row);
      } else if (end_ == TileEnd::plain) {
        take<TileEnd::plain>(k, end_row);
      } else if (end_ == TileEnd::lower_side) {
        take<TileEnd::lower_side>(k, end_row);
      } else {
        take<TileEnd::upper_side>(k, end_row);
      }
      if (lower_rows_ || upper_rows_) put_ghosts_between();
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
    /// After each step but the last, beyond the sides across y.
    KOKKOS_FORCEINLINE_FUNCTION void put_ghosts_between() {
      static_assert(rows > 1);
      HALOTHERM_UNROLL
      for (int s = 0; s < steps - 1; ++s) {
        auto& after = between_[s];
        if (lower_rows_) after[0] = ghosts(1, 0, after[1]);
        if (upper_rows_) after[rows - 1] = ghosts(1, 1, after[rows - 2]);
      }
    }

    /// The steps in a plane each.
    template <TileEnd At>
    KOKKOS_FORCEINLINE_FUNCTION void take(int k, int end_row) {
      Cells across_y[steps];  // from the row before
      Cells before_steps = before(k - 1, 0);
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        Cells above = before(k, r);
        Cells here = before_steps;
        // the team's first and last row have no meaning
        before_steps = before(k - 1, r + 1 < rows || at_.warp + 1 < Tile::warps ? r + 1 : r);
        Cells north = before_steps;
        HALOTHERM_UNROLL
        for (int s = 1; s <= steps; ++s) {
          auto& between = between_[s > 1 ? s - 2 : 0];
          if (s > 1) {
            here = between[r];
            if (At == TileEnd::any && sides().at_lower(2, k - s + 1)) here = ghosts(2, 0, above);
            north = r + 1 < rows
                        ? between[r + 1 < rows ? r + 1 : r]
                        : edge(s - 1, 1 - (k & 1), Kokkos::min(at_.warp + 1, Tile::warps - 1), 0);
          }
          if (r == 0) {
            const auto south =
                s == 1 ? before(k - 1, at_.warp > 0 ? -1 : 0)
                       : edge(s > 1 ? s - 1 : 1, 1 - (k & 1), Kokkos::max(at_.warp - 1, 0), 1);
            across_y[s - 1] = here - south;
          }
          const Cells result = advanced<At>(s, k - s, r, here, north, above, across_y[s - 1]);
          if (s > 1) between[r] = above;
          above = result;
          if (s == steps) continue;
          if (r == 0) edge(s, k & 1, at_.warp, 0) = result;
          if (r == rows - 1) edge(s, k & 1, at_.warp, 1) = result;
          if (At == TileEnd::any && sides().at_upper(2, k - s - 1))
            above = ghosts(2, 1, between_[s < steps ? s - 1 : 0][r]);
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

    /// The temperatures after step s in the plane k. `across_y`: the difference across the lower
    /// face, then that across the upper one.
    template <TileEnd At>
    KOKKOS_FORCEINLINE_FUNCTION Cells advanced(int s, int k, int r, const Cells& here,
                                               const Cells& north, const Cells& above,
                                               Cells& across_y) {
      CellDifferences<Cells, Real> across{update_.medium.faces, {}, {}};
      across.lower[1] = across_y;
      across.lower[2] = s == 1 ? here - before(k - 1, r) : across_z_[s > 1 ? s - 2 : 0][r];
      across.upper[1] = across_y = north - here;
      across.upper[2] = above - here;
      if (s > 1) across_z_[s > 1 ? s - 2 : 0][r] = across.upper[2];
      auto west = shifted_up(here, comm::from_lane_below(here.lanes[width - 1]));
      // the block's first cell begins a pack
      if (At == TileEnd::lower_side || At == TileEnd::any)
        put_ghost(0, at_.lower_lane, 0, here, west);
      auto& across_x = across.lower[0];
      across_x = here - west;
      across.upper[0] = shifted_down(across_x, comm::from_lane_above(across_x.lanes[0]));
      if (At == TileEnd::upper_side) across_upper_side(width - 1, here, across.upper[0]);
      if (At == TileEnd::any) {
        HALOTHERM_UNROLL
        for (int n = 0; n < width; ++n) across_upper_side(n, here, across.upper[0]);
      }
      Star<3, Cells> star{};
      star.here = here;
      return update_.op.template operator()<3>(star, across, at_.i, row_at(r), plane_at(k));
    }
    /// Without branches, which would part what can overlap.
    KOKKOS_FORCEINLINE_FUNCTION void across_upper_side(int n, const Cells& here,
                                                       Cells& across) const {
      const Real ghost = ghosts_beyond(sides().condition[0][1], here.lanes[n]);
      across.lanes[n] = n == at_.upper_lane ? ghost - here.lanes[n] : across.lanes[n];
    }
    KOKKOS_FORCEINLINE_FUNCTION void put_ghost(int end, int side_lane, int n, const Cells& here,
                                               Cells& neighbours) const {
      const Real ghost = ghosts_beyond(sides().condition[0][end], here.lanes[n]);
      neighbours.lanes[n] = n == side_lane ? ghost : neighbours.lanes[n];
    }

    const Update& update_;
    const comm::Box& needed_;
    Shared& shared_;
    const TilePlace<Tile, Real> at_;
    int begin_lane_, end_lane_;    ///< the lanes whose results are stored
    int begin_row_, end_row_;      ///< the rows whose results are stored
    int begin_fetch_, end_fetch_;  ///< the rows whose temperatures before the steps are needed
    TileEnd end_;
    Cells* before_;                      ///< of the first row, in the shared planes
    bool lower_rows_, upper_rows_;       ///< the first or the last row lies beyond a side
    int end_of_lower_, begin_of_upper_;  ///< planes that arrive near sides across z
    const Real* from_;                   ///< in the next plane to be fetched, of the first cell
    Real* to_;                           ///< in the next plane to be stored
    int row_;                            ///< from row to row in both
    Cells between_[steps - 1][rows];     ///< after each step but the last
    Cells across_z_[steps - 1][rows];    ///< after each step but the last, the faces below
  };
};

}  // namespace halotherm::solver
