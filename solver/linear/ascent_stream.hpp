// SPDX-License-Identifier: MIT
// The ascent on GPUs: teams stream through the planes of a tile, and each stage of the
// interpolation and of the sweeps follows the one before by a plane.
#pragma once

#include "comm/device/execution.hpp"
#include "solver/linear/ascent.hpp"
#include "solver/linear/sweep_value.hpp"

namespace halotherm::solver {

/// A tile is `width` × `height` columns, of which those within `halo` of its edge only serve
/// the others. A thread has `Rows` columns, `height / Rows` rows apart.
template <int Rows>
struct AscentTile {
  static constexpr int halo = Ascent::sweeps;
  /// Kokkos gives a team 48 KiB of shared memory, of which it takes 8 bytes a thread.
  static constexpr int width = 64, height = 24;
  static constexpr int threads = width * height / Rows;
  static constexpr int distance = height / Rows;  ///< of a thread's rows
  static constexpr int useful_width = width - 2 * halo, useful_height = height - 2 * halo;
  static constexpr int stages = 3;  ///< whose planes neighbouring columns read
  /// with a row more at both ends, which is read but of no use
  static constexpr int plane = width * (height + 2);
};

template <int Rows, class Store>
struct AscentStream {
  using Tile = AscentTile<Rows>;
  using Policy = Kokkos::TeamPolicy<comm::Space, Kokkos::LaunchBounds<Tile::threads, 1>>;
  using Team = typename Policy::member_type;
  using Scratch = Kokkos::View<float*, typename comm::Space::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static constexpr int scratch_values = 2 * Tile::stages * Tile::plane;

  Ascent ascent;
  comm::Box owned;
  comm::Int3 tiles;
  int planes;  ///< of a tile
  Store store;

  /// What a column of cells keeps from plane to plane. Index 0 of a stage is the plane that the
  /// next stage computes from, 1 the plane before.
  struct Column {
    float south, north;            ///< rates of its row
    float inverse_area, rates_xy;  ///< along x and y together
    float inverse[Tile::stages];   ///< of the diagonal, in the plane that a sweep ends
    float low, high;               ///< the coarse correction at two coarse planes
    float c[Tile::stages][2];      ///< of stages 0 to 2
    float b[Tile::stages + 1];     ///< in units of a cell's volume; of the plane of each stage
    float ahead;                   ///< b of the next plane
    int j, place;                  ///< in a plane of the scratch memory
    bool inside;                   ///< its values may be read
    bool is_useful;                ///< its result is stored

    /// To the next plane.
    KOKKOS_FORCEINLINE_FUNCTION void shift(float inverse_area_along_z) {
      HALOTHERM_UNROLL
      for (int s = Tile::stages; s > 0; --s) b[s] = b[s - 1];
      HALOTHERM_UNROLL
      for (int s = Tile::stages - 1; s > 0; --s) inverse[s] = inverse[s - 1];
      b[0] = ahead * (inverse_area * inverse_area_along_z);
    }
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Scratch scratch(team.team_scratch(0), scratch_values);
    const int tile = team.league_rank();
    const int tile_x = tile % tiles[0], tile_y = (tile / tiles[0]) % tiles[1],
              tile_z = tile / (tiles[0] * tiles[1]);
    const auto place = place_of(team.team_rank(), tile_x);
    const int begin = owned.lower[2] + tile_z * planes;
    const int end = Kokkos::min(begin + planes, owned.upper[2]);

    Column columns[Rows];
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) columns[r] = column_at(place, tile_y, r, begin - Tile::halo);
    int coarse_plane = first_coarse_plane(begin - Tile::halo);
    load_coarse(columns, place.weights_x, coarse_plane);
    Planes planes_now{};
    planes_now.total = -1;  // of no plane
    for (int n = begin - Tile::halo; n < end + Tile::halo; ++n) {
      const auto weights = ascent.interpolation.along[2][n];
      if (Kokkos::max(weights.parent, weights.beyond) > coarse_plane)
        load_coarse(columns, place.weights_x, ++coarse_plane);
      const auto entering = ascent.A.rates(2, n);
      const float total = planes_now.total;
      planes_now.shift(entering);
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) columns[r].shift(entering.inverse_area);
      if (planes_now.total != total) set_inverses(columns, planes_now.total);
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        auto& column = columns[r];
        if (column.inside && n + 1 < end + Tile::halo)
          column.ahead = ascent.b(place.i, column.j, n + 1);
        const float result = sweep(column, place, planes_now, weights, coarse_plane, n, scratch);
        if (n - Tile::halo >= begin && column.is_useful)
          store(place.i, column.j, n - Tile::halo, result);
      }
      team.team_barrier();
    }
  }

 private:
  /// A thread's place along x.
  struct Place {
    int i, lane, row;
    bool inside, is_useful;
    AxisRates rates_x;
    AxisWeights weights_x;
  };
  KOKKOS_FORCEINLINE_FUNCTION Place place_of(int thread, int tile_x) const {
    Place place{};
    place.lane = thread % Tile::width;
    place.row = thread / Tile::width;
    place.i = owned.lower[0] + tile_x * Tile::useful_width - Tile::halo + place.lane;
    place.inside = place.i < owned.upper[0] + Tile::halo;
    place.is_useful = place.lane >= Tile::halo && place.lane < Tile::width - Tile::halo &&
                      place.i < owned.upper[0];
    if (!place.inside) return place;
    place.rates_x = ascent.A.rates(0, place.i);
    place.weights_x = ascent.interpolation.along[0][place.i];
    return place;
  }
  KOKKOS_FORCEINLINE_FUNCTION Column column_at(const Place& place, int tile_y, int r,
                                               int plane) const {
    Column column{};
    const int tile_row = place.row + r * Tile::distance;
    column.j = owned.lower[1] + tile_y * Tile::useful_height - Tile::halo + tile_row;
    column.place = (tile_row + 1) * Tile::width + place.lane;
    column.inside = place.inside && column.j < owned.upper[1] + Tile::halo;
    column.is_useful = place.is_useful && tile_row >= Tile::halo &&
                       tile_row < Tile::height - Tile::halo && column.j < owned.upper[1];
    if (!column.inside) return column;
    const auto rates_y = ascent.A.rates(1, column.j);
    column.south = rates_y.lower;
    column.north = rates_y.upper;
    column.inverse_area = place.rates_x.inverse_area * rates_y.inverse_area;
    column.rates_xy = (place.rates_x.lower + place.rates_x.upper) + (rates_y.lower + rates_y.upper);
    column.ahead = ascent.b(place.i, column.j, plane);
    return column;
  }

  /// The rates along z of the planes that sweeps end: sweep s that of n − 1 − s.
  struct Planes {
    float lower[Tile::stages + 1], upper[Tile::stages + 1];  ///< index 0: of n
    float total;                                             ///< of n − 1, both faces together

    KOKKOS_FORCEINLINE_FUNCTION void shift(const AxisRates& entering) {
      HALOTHERM_UNROLL
      for (int s = Tile::stages; s > 0; --s) {
        lower[s] = lower[s - 1];
        upper[s] = upper[s - 1];
      }
      lower[0] = entering.lower;
      upper[0] = entering.upper;
      total = lower[1] + upper[1];
    }
  };
  /// Of planes from n − 1 on, until the next call.
  KOKKOS_FORCEINLINE_FUNCTION void set_inverses(Column (&columns)[Rows], float total) const {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r)
      columns[r].inverse[0] = inverse_of(columns[r].rates_xy, total, ascent.A.mass);
  }

  /// Interpolates in the plane n; sweep s ends the plane n − 1 − s, whose neighbours in the plane
  /// the step before has left in `scratch`. Returns the result of the last sweep.
  KOKKOS_FORCEINLINE_FUNCTION float sweep(Column& column, const Place& place, const Planes& now,
                                          const AxisWeights& weights, int coarse_plane, int n,
                                          const Scratch& scratch) const {
    const auto coarse = [&](int plane) { return plane == coarse_plane ? column.high : column.low; };
    float above = weights.own * coarse(weights.parent) + weights.other * coarse(weights.beyond);
    HALOTHERM_UNROLL
    for (int s = 0; s < Tile::stages; ++s) {
      const float* plane = &scratch((2 * s + ((n - 1 - s) & 1)) * Tile::plane + column.place);
      scratch((2 * s + ((n - s) & 1)) * Tile::plane + column.place) = above;
      const SweepStar star{column.c[s][0],     plane[-1],      plane[1], plane[-Tile::width],
                           plane[Tile::width], column.c[s][1], above};
      const SweepRates rates{place.rates_x.lower, place.rates_x.upper, column.south,
                             column.north,        now.lower[s + 1],    now.upper[s + 1]};
      const float next =
          swept<3>(ascent.weights[s], column.inverse[s], column.b[s + 1], star, rates);
      column.c[s][1] = column.c[s][0];
      column.c[s][0] = above;
      above = next;
    }
    return above;
  }

  KOKKOS_FORCEINLINE_FUNCTION int first_coarse_plane(int n) const {
    const auto weights = ascent.interpolation.along[2][n];
    return Kokkos::min(weights.parent, weights.beyond);
  }
  KOKKOS_FORCEINLINE_FUNCTION void load_coarse(Column (&columns)[Rows], const AxisWeights& x,
                                               int plane) const {
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      auto& column = columns[r];
      column.low = column.high;
      if (column.inside)
        column.high = InterpolationView::in_plane(ascent.coarse, x,
                                                  ascent.interpolation.along[1][column.j], plane);
    }
  }
};

}  // namespace halotherm::solver
