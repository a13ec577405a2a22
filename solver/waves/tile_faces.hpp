// SPDX-License-Identifier: MIT
// The coefficients of a tile's cells in several steps at once on GPUs.
#pragma once

#include "solver/equation/update.hpp"
#include "solver/medium/cell_kinds.hpp"
#include "solver/waves/wave_tiles.hpp"

#include <cstdint>

namespace halotherm::solver {

/// The cells of a thread: a pack along x from `i` on, in rows from `j` on.
template <class Tile, class Real>
struct TilePlace {
  int warp, lane;
  int i, j;
  int x;                       ///< where the pack lies in the tile: beyond the cells that exist,
                               ///< it repeats the last one and has no meaning
  int lower_lane, upper_lane;  ///< cells at the sides across x

  KOKKOS_FORCEINLINE_FUNCTION TilePlace(const WaveWork& work, const Sides<Real>& sides, int tile,
                                        int thread)
      : warp(thread / comm::warp_size), lane(thread % comm::warp_size) {
    constexpr int width = Pack<Real>::width;
    const int tile_x = tile % work.x.count, tile_y = tile / work.x.count;
    const int last = work.needed.upper[0] - 1 - work.x.begin;
    x = work.x.begin_of(tile_x) + lane * width;
    i = Kokkos::min(x, work.x.begin + last - last % width);
    j = work.y.begin_of(tile_y) + warp * Tile::rows;
    lower_lane = sides.condition[0][0].present ? sides.owned.lower[0] - i : -1;
    upper_lane = sides.condition[0][1].present ? sides.owned.upper[0] - 1 - i : -1;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool exists() const { return x == i; }
};

/// What crosses the faces of a pack of cells, upwards along each axis, in place of the differences
/// that the stencil expression forms. `Faces` adds it up.
template <class Value, class Faces>
struct CellCrossings {
  Faces faces;
  Value lower[3], upper[3];

  KOKKOS_FORCEINLINE_FUNCTION Value add_flows(int axis, const Value&, const Value&,
                                              const Value& sum) const {
    return faces.add_flows(axis, lower[axis], upper[axis], sum);
  }
};

/// Adds up flows.
struct SumOfFlows {
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value add_flows(int, const Value& below, const Value& above,
                                              const Value& sum) const {
    return sum + (above - below);
  }
};

/// Cells of a few kinds, all of one width along an axis.
template <class Real>
struct KindsMedium {
  CellKindsView<Real> kinds;
  EvenSpacing<Real> spacing;
};

/// The heating of a pack of such cells.
template <class Cells>
struct HeatingOfKinds {
  Cells step_over_capacity;  ///< dt/(rho c) [m³ K/W]
  Cells source;              ///< q [W/m³]

  template <int Dim, class Faces>
  KOKKOS_FORCEINLINE_FUNCTION Cells added_to(const Cells& base, const Star<Dim, Cells>& T,
                                             const Faces& faces, int, int, int) const {
    return multiply_add(step_over_capacity, divergence_of_flux<Dim>(T, faces, source), base);
  }
};

/// The coefficients of a thread's cells. Faces that a few numbers give: differences cross them.
template <class Tile, class Medium, class Real>
class TileFaces {
 public:
  using Cells = Pack<Real>;
  using Crossings = CellCrossings<Cells, UniformFaces<Real>>;
  struct Shared {};

  KOKKOS_FORCEINLINE_FUNCTION TileFaces(const Medium& medium, Shared&, const TilePlace<Tile, Real>&,
                                        const Sides<Real>&, const comm::Box&)
      : medium_(medium) {}
  template <class Operator>
  KOKKOS_FORCEINLINE_FUNCTION void start(int, const Operator&) {}
  KOKKOS_FORCEINLINE_FUNCTION void arrive(int) {}
  KOKKOS_FORCEINLINE_FUNCTION void fetch(int) {}
  template <TileEnd At>
  KOKKOS_FORCEINLINE_FUNCTION void form(int, int) {}
  KOKKOS_FORCEINLINE_FUNCTION void keep(int) {}

  KOKKOS_FORCEINLINE_FUNCTION Crossings crossings() const { return {medium_.faces, {}, {}}; }
  KOKKOS_FORCEINLINE_FUNCTION Cells across_x(int, int, const Cells& lower,
                                             const Cells& upper) const {
    return upper - lower;
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells across_y(int, int, bool, const Cells& lower,
                                             const Cells& upper) const {
    return upper - lower;
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells across_z(int, int, const Cells& lower,
                                             const Cells& upper) const {
    return upper - lower;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real across_upper_side(int, int, Real lower, Real upper) const {
    return upper - lower;
  }
  /// The temperatures after a step, of the row `r` in the `plane`; those before it are the star's.
  template <class Operator>
  KOKKOS_FORCEINLINE_FUNCTION Cells stepped(const Operator& op, int, int,
                                            const Star<3, Cells>& star, const Crossings& crossings,
                                            int i, int j, int k) const {
    return op.template operator()<3>(star, crossings, i, j, k);
  }

 private:
  const Medium& medium_;
};

/// Cells of a few kinds: flows cross their faces. Each face takes a reciprocal, so it is formed
/// once for all steps, and kept in registers until the last has passed.
template <class Tile, class Real>
class TileFaces<Tile, KindsMedium<Real>, Real> {
  static constexpr int steps = Tile::steps, rows = Tile::rows;

 public:
  using Medium = KindsMedium<Real>;
  using Cells = Pack<Real>;
  using Crossings = CellCrossings<Cells, SumOfFlows>;
  static constexpr int width = Cells::width;

  /// Kinds of the cells of a pack.
  struct alignas(width) Kinds {
    std::uint8_t lanes[width];
  };
  struct Shared {
    static constexpr int planes = 4, kinds = CellKindsView<Real>::most;
    static_assert(planes >= steps + 2);

    Real resistivity[kinds], step_over_capacity[kinds], source[kinds];
    Real upper_side[planes][Tile::height];  ///< faces at the upper side across x
    Kinds of_cell[planes][Tile::height][comm::warp_size];
  };

  KOKKOS_FORCEINLINE_FUNCTION TileFaces(const Medium& medium, Shared& shared,
                                        const TilePlace<Tile, Real>& at, const Sides<Real>& sides,
                                        const comm::Box& needed)
      : medium_(medium), shared_(shared), at_(at) {
    const auto beyond = [&](int axis, int end) { return sides.condition[axis][end].present; };
    begin_fetch_ = needed.lower[1] - (beyond(1, 0) ? 1 : 0) - at.j;
    end_fetch_ = at.exists() ? needed.upper[1] + (beyond(1, 1) ? 1 : 0) - at.j : begin_fetch_;
    begin_planes_ = needed.lower[2] - (beyond(2, 0) ? 1 : 0);
    end_planes_ = needed.upper[2] + (beyond(2, 1) ? 1 : 0);
  }

  /// Before the plane `first` is fetched, between two barriers: others may read what is of the tile
  /// before until the first one, and what is of this tile after the second.
  template <class Operator>
  KOKKOS_FORCEINLINE_FUNCTION void start(int first, const Operator& op) {
    const auto& all = medium_.kinds;
    for (int n = at_.warp * comm::warp_size + at_.lane; n < all.count; n += Tile::threads) {
      shared_.resistivity[n] = all.resistivity[n];
      shared_.step_over_capacity[n] = op.heating.step_over_capacity_of(all.inverse_capacity[n]);
      shared_.source[n] = all.source[n];
    }
    from_ = &medium_.kinds.of_cell(at_.i, at_.j, first - 1);
    fetch(first - 1);
    arrive(first - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION void fetch(int k) {
    const auto& of_cell = medium_.kinds.of_cell;
    if (k >= begin_planes_ && k < end_planes_) {
      HALOTHERM_UNROLL
      for (int r = 0; r < rows; ++r) {
        if (r >= begin_fetch_ && r < end_fetch_)
          next_[r] = *reinterpret_cast<const Kinds*>(from_ + r * static_cast<int>(of_cell.row));
      }
    }
    from_ += of_cell.plane;
  }
  /// Before a barrier: for the other threads.
  KOKKOS_FORCEINLINE_FUNCTION void arrive(int k) const {
    HALOTHERM_UNROLL
    for (int r = 0; r < rows; ++r) kinds(k, r) = next_[r];
  }

  /// Before the steps of a row, of which the first ends the plane k - 1.
  template <TileEnd At>
  KOKKOS_FORCEINLINE_FUNCTION void form(int k, int r) {
    const int plane = k - 1;
    const Cells here = r == 0 ? resistivity(plane, 0) : north_;
    Real west = comm::from_lane_below(here.lanes[width - 1]);
    // beyond a side as beside it
    if (At == TileEnd::lower_side || At == TileEnd::any)
      west = at_.lower_lane == 0 ? here.lanes[0] : west;
    x_now_ = face(0, shifted_up(here, west), here);
    if (At == TileEnd::upper_side || At == TileEnd::any) {
      HALOTHERM_UNROLL
      for (int n = 0; n < width; ++n) {
        if (n == at_.upper_lane && at_.exists())
          upper_side(plane, r) = face(0, here.lanes[n], here.lanes[n]);
      }
    }
    // the team's first and last row have no meaning
    if (r == 0) y_lower_ = face(1, resistivity(plane, at_.warp > 0 ? -1 : 0), here);
    north_ = resistivity(plane, r + 1 < rows || at_.warp + 1 < Tile::warps ? r + 1 : r);
    y_upper_ = face(1, here, north_);
    z_now_ = face(2, here, resistivity(k, r));
  }
  /// After them.
  KOKKOS_FORCEINLINE_FUNCTION void keep(int r) {
    Cells upper = y_upper_;
    HALOTHERM_UNROLL
    for (int s = 0; s < steps - 1; ++s) {
      Kokkos::kokkos_swap(x_now_, x_[s][r]);
      Kokkos::kokkos_swap(y_lower_, y_[s][r]);
      Kokkos::kokkos_swap(z_now_, z_[s][r]);
      if (r + 1 == rows) Kokkos::kokkos_swap(upper, y_[s][rows]);
    }
    y_lower_ = y_upper_;
  }

  KOKKOS_FORCEINLINE_FUNCTION Crossings crossings() const { return {}; }
  /// The lower faces of a row, as step `s` is about to cross them.
  KOKKOS_FORCEINLINE_FUNCTION Cells across_x(int s, int r, const Cells& lower,
                                             const Cells& upper) const {
    return (s == 1 ? x_now_ : x_[s > 1 ? s - 2 : 0][r]) * (upper - lower);
  }
  /// The lower or upper faces.
  KOKKOS_FORCEINLINE_FUNCTION Cells across_y(int s, int r, bool above, const Cells& lower,
                                             const Cells& upper) const {
    const Cells& now = above ? y_upper_ : y_lower_;
    return (s == 1 ? now : y_[s > 1 ? s - 2 : 0][above ? r + 1 : r]) * (upper - lower);
  }
  /// The upper faces.
  KOKKOS_FORCEINLINE_FUNCTION Cells across_z(int s, int r, const Cells& lower,
                                             const Cells& upper) const {
    return (s == 1 ? z_now_ : z_[s > 1 ? s - 2 : 0][r]) * (upper - lower);
  }
  KOKKOS_FORCEINLINE_FUNCTION Real across_upper_side(int k, int r, Real lower, Real upper) const {
    return upper_side(k, r) * (upper - lower);
  }
  template <class Operator>
  KOKKOS_FORCEINLINE_FUNCTION Cells stepped(const Operator& op, int r, int plane,
                                            const Star<3, Cells>& star, const Crossings& crossings,
                                            int i, int j, int k) const {
    if constexpr (requires { op.heating.step_over_capacity; }) {
      return op.template operator()<3>(star, crossings, i, j, k);
    } else {
      const Kinds of = kinds(plane, r);
      HeatingOfKinds<Cells> heating;
      HALOTHERM_UNROLL
      for (int n = 0; n < width; ++n) {
        heating.step_over_capacity.lanes[n] = shared_.step_over_capacity[of.lanes[n]];
        heating.source.lanes[n] = shared_.source[of.lanes[n]];
      }
      return EulerCells<HeatingOfKinds<Cells>>{heating}.template operator()<3>(star, crossings, i,
                                                                               j, k);
    }
  }

 private:
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value face(int axis, const Value& one, const Value& other) const {
    return medium_.spacing.face(axis, one, other);
  }
  KOKKOS_FORCEINLINE_FUNCTION Kinds& kinds(int k, int r) const {
    return shared_.of_cell[k & (Shared::planes - 1)][at_.warp * rows + r][at_.lane];
  }
  KOKKOS_FORCEINLINE_FUNCTION Cells resistivity(int k, int r) const {
    const Kinds of = kinds(k, r);
    Cells result;
    HALOTHERM_UNROLL
    for (int n = 0; n < width; ++n) result.lanes[n] = shared_.resistivity[of.lanes[n]];
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION Real& upper_side(int k, int r) const {
    return shared_.upper_side[k & (Shared::planes - 1)][at_.warp * rows + r];
  }

  const Medium& medium_;
  Shared& shared_;
  const TilePlace<Tile, Real> at_;
  int begin_fetch_, end_fetch_, begin_planes_, end_planes_;
  const std::uint8_t* from_;                 ///< of the next plane, of the first cell
  Kinds next_[rows];                         ///< of the plane that arrives next
  Cells north_;                              ///< resistivities of the next row
  Cells x_now_, y_lower_, y_upper_, z_now_;  ///< of the first step's row
  Cells x_[steps - 1][rows];                 ///< of the later steps' planes: lower faces,
  Cells y_[steps - 1][rows + 1];             ///< those above the last row too,
  Cells z_[steps - 1][rows];                 ///< and upper faces
};

}  // namespace halotherm::solver
