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
    float south, north, inverse_y, rates_xy;  ///< of its row; of both axes together
    float inverse_diagonal;
    float low, high;            ///< the coarse correction at two coarse planes
    float c[Tile::stages][2];   ///< of stages 0 to 2
    float b[Tile::stages + 1];  ///< in units of a cell's volume; of the plane of each stage
    float ahead;                ///< b of the next plane
    int j;
    bool inside;  ///< its values may be read
  };

  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const Scratch scratch(team.team_scratch(0), scratch_values);
    const int tile = team.league_rank(), thread = team.team_rank();
    const int lane = thread % Tile::width, row = thread / Tile::width;
    const int tile_x = tile % tiles[0], tile_y = (tile / tiles[0]) % tiles[1],
              tile_z = tile / (tiles[0] * tiles[1]);
    const int i = owned.lower[0] + tile_x * Tile::useful_width - Tile::halo + lane;
    const int first_j = owned.lower[1] + tile_y * Tile::useful_height - Tile::halo + row;
    const int begin = owned.lower[2] + tile_z * planes;
    const int end = Kokkos::min(begin + planes, owned.upper[2]);
    const bool inside_x = i < owned.upper[0] + Tile::halo;
    const auto rates_x = inside_x ? ascent.A.rates(0, i) : AxisRates{};
    const auto weights_x = inside_x ? ascent.interpolation.along[0][i] : AxisWeights{};

    Column columns[Rows];
    HALOTHERM_UNROLL
    for (int r = 0; r < Rows; ++r) {
      auto& column = columns[r];
      column = Column{};
      column.j = first_j + r * Tile::distance;
      column.inside = inside_x && column.j < owned.upper[1] + Tile::halo;
      if (!column.inside) continue;
      const auto rates_y = ascent.A.rates(1, column.j);
      column.south = rates_y.lower;
      column.north = rates_y.upper;
      column.inverse_y = rates_x.inverse_area * rates_y.inverse_area;
      column.rates_xy = (rates_x.lower + rates_x.upper) + (rates_y.lower + rates_y.upper);
      column.ahead = ascent.b(i, column.j, begin - Tile::halo);
    }

    int coarse_plane = 0;
    float rate_of_inverse = -1;  // along z, of the diagonals that columns keep
    for (int n = begin - Tile::halo; n < end + Tile::halo; ++n) {
      const auto rates_z = ascent.A.rates(2, n);
      const auto weights_z = ascent.interpolation.along[2][n];
      if (n == begin - Tile::halo) {
        coarse_plane = Kokkos::min(weights_z.parent, weights_z.beyond);
        load_coarse(columns, weights_x, coarse_plane);
      }
      if (Kokkos::max(weights_z.parent, weights_z.beyond) > coarse_plane)
        load_coarse(columns, weights_x, ++coarse_plane);
      const AxisRates along_z[3] = {ascent.A.rates(2, n - 1), ascent.A.rates(2, n - 2),
                                    ascent.A.rates(2, n - 3)};
      float totals[3];
      bool alike = true;
      HALOTHERM_UNROLL
      for (int s = 0; s < 3; ++s) {
        totals[s] = along_z[s].lower + along_z[s].upper;
        alike = alike && totals[s] == totals[0];
      }
      if (alike && totals[0] != rate_of_inverse) {
        rate_of_inverse = totals[0];
        HALOTHERM_UNROLL
        for (int r = 0; r < Rows; ++r)
          columns[r].inverse_diagonal = inverse_of(columns[r].rates_xy, totals[0], ascent.A.mass);
      }
      HALOTHERM_UNROLL
      for (int r = 0; r < Rows; ++r) {
        auto& column = columns[r];
        HALOTHERM_UNROLL
        for (int s = Tile::stages; s > 0; --s) column.b[s] = column.b[s - 1];
        column.b[0] = column.ahead * (column.inverse_y * rates_z.inverse_area);
        if (column.inside && n + 1 < end + Tile::halo) column.ahead = ascent.b(i, column.j, n + 1);
        const float c =
            weights_z.own * (weights_z.parent == coarse_plane ? column.high : column.low) +
            weights_z.other * (weights_z.beyond == coarse_plane ? column.high : column.low);
        const int place = (row + r * Tile::distance + 1) * Tile::width + lane;
        float above = c;
        HALOTHERM_UNROLL
        for (int s = 0; s < 3; ++s) {
          // stage s ends the plane n − s, and its neighbours are in the plane before that
          const float* plane = &scratch((2 * s + ((n - 1 - s) & 1)) * Tile::plane);
          scratch((2 * s + ((n - s) & 1)) * Tile::plane + place) = above;
          const float inverse = alike ? column.inverse_diagonal
                                      : inverse_of(column.rates_xy, totals[s], ascent.A.mass);
          const SweepStar star{column.c[s][0],
                               plane[place - 1],
                               plane[place + 1],
                               plane[place - Tile::width],
                               plane[place + Tile::width],
                               column.c[s][1],
                               above};
          const SweepRates rates{rates_x.lower, rates_x.upper,    column.south,
                                 column.north,  along_z[s].lower, along_z[s].upper};
          const float next = swept<3>(ascent.weights[s], inverse, column.b[s + 1], star, rates);
          column.c[s][1] = column.c[s][0];
          column.c[s][0] = above;
          above = next;
        }
        const int k = n - Tile::halo;
        const int tile_row = row + r * Tile::distance;
        if (k >= begin && lane >= Tile::halo && lane < Tile::width - Tile::halo &&
            tile_row >= Tile::halo && tile_row < Tile::height - Tile::halo && i < owned.upper[0] &&
            column.j < owned.upper[1])
          store(i, column.j, k, above);
      }
      team.team_barrier();
    }
  }

 private:
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
