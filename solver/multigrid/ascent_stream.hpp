// SPDX-License-Identifier: MIT
// The ascent on GPUs: teams stream through the planes of a tile, and each stage of the
// interpolation and of the sweeps follows the one before by a plane.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/prefetch.hpp"
#include "comm/device/shared_memory.hpp"
#include "solver/linear/sweep_value.hpp"
#include "solver/multigrid/ascent_interpolation.hpp"

namespace halotherm::solver {

template <class Tile, class Store>
struct AscentStream {
  using Shared = AscentShared<Tile>;
  using Bounds = Kokkos::LaunchBounds<Tile::threads, 1>;
  static constexpr int sweeps = Ascent::sweeps, rows = Tile::rows;

  Ascent ascent;
  comm::Box owned;
  AscentWork work;
  Store store;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int team, int thread, void* shared) const {
    const auto end = work.begin_of(team + 1);
    for (auto next = work.begin_of(team); next < end;) {
      const int tile = static_cast<int>(next / work.planes);
      const int first = static_cast<int>(next % work.planes);
      const int planes =
          static_cast<int>(Kokkos::min(std::int64_t{work.planes - first}, end - next));
      const int begin = owned.lower[2] + first;
      Columns(*this, tile, thread, *static_cast<Shared*>(shared)).stream(begin, begin + planes);
      next += planes;
    }
  }

 private:
  /// What a thread has of a tile: `rows` × 2 columns of cells.
  class Columns {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Columns(const AscentStream& stream, int tile, int thread,
                                        Shared& shared)
        : stream_(stream), ascent_(stream.ascent), shared_(shared), thread_(thread) {
      const auto& box = stream.owned;
      const int tile_x = tile % stream.work.tiles_x, tile_y = tile / stream.work.tiles_x;
      const bool pair_is_useful = place_along_x(box, tile_x, 2 * lane());
      first_row_ = box.lower[1] + tile_y * Tile::useful_height - Tile::halo;
      last_row_ = Kokkos::min(first_row_ + Tile::height, box.upper[1] + Tile::halo) - 1;
      place_along_y(box, pair_is_useful);
    }

    /// Computes the planes from `begin` to `end`.
    KOKKOS_FORCEINLINE_FUNCTION void stream(int begin, int end) {
      const int first = begin - Tile::halo;
      TileInterpolation<Tile> interpolation(ascent_, shared_, thread_, i_, j_, first_row_,
                                            last_row_);
      start();
      interpolation.start(first);
      b_here_ = &ascent_.b(i_, j_, first);
      b_row_ = static_cast<int>(ascent_.b.row);
      result_ = &stream_.store.values(i_, j_, begin);
      result_row_ = static_cast<int>(stream_.store.values.row);
      for (int n = first;; n += 2) {
        step<0>(n, begin, interpolation);
        if (n + 1 >= end + Tile::halo) break;
        step<1>(n + 1, begin, interpolation);
        if (n + 2 >= end + Tile::halo) break;
      }
    }

   private:
    KOKKOS_FORCEINLINE_FUNCTION int warp() const { return thread_ / comm::warp_size; }
    KOKKOS_FORCEINLINE_FUNCTION int lane() const { return thread_ % comm::warp_size; }

    /// Whether results of the pair are stored.
    KOKKOS_FORCEINLINE_FUNCTION bool place_along_x(const comm::Box& box, int tile_x, int column) {
      const int x = box.lower[0] + tile_x * Tile::useful_width - Tile::halo_x + column;
      both_useful_ = x + 1 < box.upper[0];
      // places beyond the ghost cells repeat the last ones and have no meaning
      const int last = box.extent(0) + Tile::halo - 1;
      i_ = Kokkos::min(x, box.lower[0] + last - last % 2);
      HALOTHERM_UNROLL
      for (int p = 0; p < 2; ++p) {
        const auto rates = ascent_.A.rates(0, i_ + p);
        west_[p] = rates.lower;
        east_[p] = rates.upper;
        inverse_area_x_[p] = rates.inverse_area;
      }
      return column >= Tile::halo_x && column < Tile::width - Tile::halo_x && x < box.upper[0];
    }
    KOKKOS_FORCEINLINE_FUNCTION void place_along_y(const comm::Box& box, bool pair_is_useful) {
      const int row = warp() * rows;
      j_ = Kokkos::min(first_row_ + row, last_row_);
      rows_ = last_row_ + 1 - j_;
      first_useful_ = Kokkos::max(Tile::halo - row, 0);
      end_useful_ = pair_is_useful ? Kokkos::min(Tile::height - Tile::halo - row,
                                                 box.upper[1] - (first_row_ + row))
                                   : 0;
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        const auto rates = ascent_.A.rates(1, row_at(r));
        south_[r] = rates.lower;
        north_[r] = rates.upper;
        inverse_area_y_[r] = rates.inverse_area;
      }
    }
    /// The last one again if there are fewer.
    KOKKOS_FORCEINLINE_FUNCTION int row_at(int r) const { return j_ + Kokkos::min(r, rows_ - 1); }

    /// Before the first plane.
    KOKKOS_FORCEINLINE_FUNCTION void start() {
      inverses_of_ = -1;  // of no plane
      HALOTHERM_UNROLL
      for (int s = 0; s <= sweeps; ++s) along_z_[s] = AxisRates{};
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) ahead_[r] = {};
      comm::team_barrier();  // others may still read what is of another tile
    }

    /// Interpolates in the plane n; sweep s ends the plane n − 1 − s, whose values the steps before
    /// have left in c and, at the edges of warps, in shared memory.
    template <int Turn>
    KOKKOS_FORCEINLINE_FUNCTION void step(int n, int begin,
                                          TileInterpolation<Tile>& interpolation) {
      const bool has_result = n - Tile::halo >= begin;
      if (has_result) prefetch_before();
      float above[rows][2];
      interpolation.next(n, above);
      shift(n);
      load_b();
      sweep<Turn>(0, n, above);
      sweep<Turn>(1, n, above);
      typename Store::Pair before[rows];
      if (has_result) load_before(before);
      sweep<Turn>(2, n, above);
      if (has_result) put(before, above);
      interpolation.share_next();
      comm::team_barrier();
    }

    /// `values`: those of the sweep before in the plane above, then those of this sweep.
    template <int Turn>
    KOKKOS_FORCEINLINE_FUNCTION void sweep(int s, int n, float (&values)[rows][2]) {
      edge(Turn, s, warp(), 0) = {values[0][0], values[0][1]};
      edge(Turn, s, warp(), 1) = {values[rows - 1][0], values[rows - 1][1]};
      // the team's first and last row have no meaning
      const auto south = edge(1 - Turn, s, Kokkos::max(warp() - 1, 0), 1),
                 north = edge(1 - Turn, s, Kokkos::min(warp() + 1, Tile::warps - 1), 0);
      const auto& z = along_z_[s + 1];
      set_inverses(z.lower + z.upper);
      const auto& here = c_[s][1 - Turn];
      auto& below = c_[s][Turn];
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        const auto heat = b(n - 1 - s, r);
        const float west = comm::from_lane_below(here[r][1]);
        const float east = comm::from_lane_above(here[r][0]);
        HALOTHERM_UNROLL
        for (int p = 0; p < 2; ++p) {
          const SweepStar star{here[r][p],
                               p == 0 ? west : here[r][0],
                               p == 0 ? here[r][1] : east,
                               r == 0 ? south.cell[p] : here[r == 0 ? 0 : r - 1][p],
                               r == rows - 1 ? north.cell[p] : here[r == rows - 1 ? r : r + 1][p],
                               below[r][p],
                               values[r][p]};
          const SweepRates rates{west_[p], east_[p], south_[r], north_[r], z.lower, z.upper};
          below[r][p] = values[r][p];
          values[r][p] = swept<3>(ascent_.weights[s], inverse_[r][p], heat.cell[p], star, rates);
        }
      }
    }

    KOKKOS_FORCEINLINE_FUNCTION bool is_useful(int r) const {
      return r >= first_useful_ && r < end_useful_;
    }
    KOKKOS_FORCEINLINE_FUNCTION void prefetch_before() const {
      if constexpr (!Store::adds) return;
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (is_useful(r)) comm::prefetch(result_ + r * result_row_);
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void load_before(typename Store::Pair (&before)[rows]) const {
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (is_useful(r)) before[r] = Store::before(result_ + r * result_row_);
      }
    }
    /// Stores the results of a plane.
    KOKKOS_FORCEINLINE_FUNCTION void put(const typename Store::Pair (&before)[rows],
                                         const float (&results)[rows][2]) {
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (!is_useful(r)) continue;
        const auto pair = stream_.store.pair(before[r], results[r][0], results[r][1]);
        auto* const to = result_ + r * result_row_;
        if (both_useful_) {
          *reinterpret_cast<typename Store::Pair*>(to) = pair;
        } else {
          *to = pair.cell[0];
        }
      }
      result_ += stream_.store.values.plane;
    }

    /// Of the next plane.
    KOKKOS_FORCEINLINE_FUNCTION void load_b() {
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (r < rows_) ahead_[r] = *reinterpret_cast<const CellPair<float>*>(b_here_ + r * b_row_);
      }
      b_here_ += ascent_.b.plane;
    }
    /// Of a plane, in a row of the tile that is counted from the warp's first one.
    KOKKOS_FORCEINLINE_FUNCTION CellPair<float>& b(int n, int r) const {
      return shared_.b[n & (Shared::planes - 1)][warp() * rows + r][lane()];
    }
    KOKKOS_FORCEINLINE_FUNCTION CellPair<float>& edge(int turn, int sweep, int warp,
                                                      int last) const {
      return shared_.edge[turn][sweep][warp][last][lane()];
    }
    /// To the plane n: b in units of a cell's volume, and rates along z.
    KOKKOS_FORCEINLINE_FUNCTION void shift(int n) {
      HALOTHERM_UNROLL
      for (int s = sweeps; s > 0; --s) along_z_[s] = along_z_[s - 1];
      const float inverse_area_xz[2] = {inverse_area_x_[0] * along_z_[1].inverse_area,
                                        inverse_area_x_[1] * along_z_[1].inverse_area};
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        b(n - 1, r) = {ahead_[r].cell[0] * (inverse_area_xz[0] * inverse_area_y_[r]),
                       ahead_[r].cell[1] * (inverse_area_xz[1] * inverse_area_y_[r])};
      }
      along_z_[0] = ascent_.A.rates(2, n);
    }
    /// Of a plane whose faces along z conduct that much together.
    KOKKOS_FORCEINLINE_FUNCTION void set_inverses(float rates_z) {
      if (rates_z == inverses_of_) return;
      inverses_of_ = rates_z;
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        HALOTHERM_UNROLL
        for (int p = 0; p < 2; ++p)
          inverse_[r][p] =
              inverse_of((west_[p] + east_[p]) + (south_[r] + north_[r]), rates_z, ascent_.A.mass);
      }
    }

    const AscentStream& stream_;
    const Ascent& ascent_;
    Shared& shared_;
    const int thread_;
    int i_, j_;                      ///< of the first cell
    int rows_;                       ///< that exist
    bool both_useful_;               ///< the second cell's results are stored too
    int first_useful_, end_useful_;  ///< the rows whose results are stored
    int first_row_, last_row_;       ///< of the tile
    float west_[2], east_[2], inverse_area_x_[2];
    float south_[rows], north_[rows], inverse_area_y_[rows];
    AxisRates along_z_[sweeps + 1];  ///< index 0: of n; sweep s ends that of index s + 1
    float c_[sweeps][2][rows][2];    ///< what sweeps compute from, in turns of planes
    CellPair<float> ahead_[rows];    ///< b of the plane n
    float inverse_[rows][2];         ///< of the diagonal
    float inverses_of_;              ///< rates along z of those planes
    const float* b_here_;            ///< in the next plane, of the first cell
    int b_row_;                      ///< from row to row
    typename Store::Value* result_;  ///< of the first cell, in the next plane to be stored
    int result_row_;
  };
};

}  // namespace halotherm::solver
