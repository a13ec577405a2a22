// SPDX-License-Identifier: MIT
// Restriction to columns of coarse cells on GPUs, with the bits of TransferView.
#pragma once

#include "solver/cycle/columns.hpp"
#include "solver/field/pack.hpp"

namespace halotherm::solver {

/// coarse = what its cells get of `fine`: lines in ascending order. Beyond sides, shares and fine
/// values are 0.
template <class Joined>
struct RestrictColumn {
  TransferView t;
  comm::Box box;  ///< coarse cells
  comm::GridView<const float> fine;
  comm::GridView<float> coarse;

  RestrictColumn(const TransferView& transfer, const comm::Box& coarse_owned,
                 const comm::GridView<const float>& the_fine,
                 const comm::GridView<float>& the_coarse)
      : t(transfer), box(coarse_owned), fine(the_fine), coarse(the_coarse) {}

  /// The column of (I, J) from `begin` to before `end`.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int I, int J, int begin, int end) const {
    if (!has_pairs(t.c, I, J, end - 1)) {
      for (int K = begin; K < end; ++K) coarse(I, J, K) = t.restricted(fine, I, J, K);
      return;
    }
    restrict_pairs(I, J, begin, end);
  }

 private:
  /// For the coarse cells beside a column along x, from that below on: what it gets of lines of
  /// their fine cells.
  struct Parts {
    float of[3];
  };
  static KOKKOS_FORCEINLINE_FUNCTION Parts rest(const Parts& taken) {
    return {{1 - taken.of[0], 1 - taken.of[1], 1 - taken.of[2]}};
  }

  /// Shares of the coarse cells in a row of a plane; of that in the middle alone where no cells are
  /// joined along x.
  struct Owners {
    float first = 0, last = 0;                     ///< of the own pair along x
    float of_east = 0, of_west = 0;                ///< of the fine cells next to it along x
    Parts y_below{}, y_above{}, below{}, above{};  ///< along y and z
  };
  KOKKOS_FORCEINLINE_FUNCTION Owners owners(int I, int J, int K, bool to_above,
                                            bool to_below) const {
    Owners owners;
    if constexpr (Joined::x) {
      owners.first = t.below[0](I, J, K);
      owners.last = t.above[0](I, J, K);
      owners.of_east = t.below[0](I + 1, J, K);
      owners.of_west = t.above[0](I - 1, J, K);
    }
    if (Joined::y && to_below) owners.y_below = parts(t.below[1], I, J, K);
    if (Joined::y && to_above) owners.y_above = parts(t.above[1], I, J, K);
    if constexpr (Joined::z) {
      owners.below = parts(t.below[2], I, J, K);
      owners.above = parts(t.above[2], I, J, K);
    }
    return owners;
  }
  static KOKKOS_FORCEINLINE_FUNCTION Parts parts(const comm::GridView<const float>& shares, int I,
                                                 int J, int K) {
    if constexpr (!Joined::x) return {{0, shares(I, J, K), 0}};
    return {{shares(I - 1, J, K), shares(I, J, K), shares(I + 1, J, K)}};
  }

  /// The values of a row of fine cells that a coarse cell gets, by the coarse cell that owns them.
  struct Row {
    float west, first, last, east;
  };
  KOKKOS_FORCEINLINE_FUNCTION Row row(const Children& xs, int j, int k) const {
    if constexpr (!Joined::x) return {0, fine(xs.first, j, k), 0, 0};
    return {fine(xs.first - 1, j, k), fine(xs.first, j, k), fine(xs.end - 1, j, k),
            fine(xs.end, j, k)};
  }
  static KOKKOS_FORCEINLINE_FUNCTION Parts values(const Row& row, const Owners& owners, bool pair) {
    const float first = (1 - owners.first) * row.first, last = (1 - owners.last) * row.last;
    return {{owners.of_west * row.west, pair ? first + last : first, owners.of_east * row.east}};
  }
  /// What a coarse cell gets of a row, by the parts of its line across y and of that across z.
  static KOKKOS_FORCEINLINE_FUNCTION float added(float sum, const Parts& values, const Parts& y,
                                                 const Parts& z) {
    sum = sum + (y.of[1] * z.of[1]) * values.of[1];
    if constexpr (!Joined::x) return sum;
    sum = sum + (y.of[2] * z.of[2]) * values.of[2];
    return sum + (y.of[0] * z.of[0]) * values.of[0];
  }

  /// Sums of coarse cells, from that below the plane that gives on.
  struct Sums {
    float below = 0, here = 0, above = 0;
  };
  /// The sums to which a plane of fine cells adds.
  struct Targets {
    bool below, here, above;
    bool is_first, is_last;  ///< of the coarse cell's planes

    KOKKOS_FORCEINLINE_FUNCTION void add(Sums& sums, const Parts& values, const Parts& y,
                                         const Owners& owners) const {
      if (below) sums.below = added(sums.below, values, y, owners.below);
      if (here)
        sums.here = added(sums.here, values, y,
                          rest(is_first  ? owners.below
                               : is_last ? owners.above
                                         : Parts{}));
      if (above) sums.above = added(sums.above, values, y, owners.above);
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION void restrict_pairs(int I, int J, int begin, int end) const {
    const auto xs = children(t.c, 0, I), ys = children(t.c, 1, J);
    const int first = Joined::z && t.has(2, begin - 1) ? begin - 1 : begin;
    const int last = Joined::z && t.has(2, end) ? end + 1 : end;
    Sums sums;
    for (int K = first; K < last; ++K) {
      const Owners south = Joined::y ? owners(I, J - 1, K, true, false) : Owners{};
      const Owners own = owners(I, J, K, true, true);
      const Owners north = Joined::y ? owners(I, J + 1, K, false, true) : Owners{};
      const auto cells = children_beyond(t.c, 2, K);
      for (int k = cells.first; k < cells.end; ++k) {
        const bool is_first = k == cells.first, is_last = k + 1 == cells.end;
        const Targets targets{Joined::z && is_first && K > begin, K >= begin && K < end,
                              Joined::z && is_last && K + 1 < end, is_first, is_last};
        if (!targets.below && !targets.here && !targets.above) continue;
        add_plane(sums, targets, xs, ys, k, south, own, north);
      }
      if (K > begin) coarse(I, J, K - 1) = sums.below;
      sums = {sums.here, sums.above, 0};
    }
    if (last == end) coarse(I, J, end - 1) = sums.below;
  }
  /// All loads come before the first use, so that they overlap.
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(Sums& sums, const Targets& targets, const Children& xs,
                                             const Children& ys, int k, const Owners& south,
                                             const Owners& own, const Owners& north) const {
    const bool pair_x = xs.end - xs.first > 1, pair_y = ys.end - ys.first > 1;
    const auto first = row(xs, ys.first, k);
    if constexpr (!Joined::y)
      return targets.add(sums, values(first, own, pair_x), {{1, 1, 1}}, own);
    const auto below = row(xs, ys.first - 1, k), last = row(xs, ys.end - 1, k),
               above = row(xs, ys.end, k);
    targets.add(sums, values(below, south, pair_x), south.y_above, south);
    targets.add(sums, values(first, own, pair_x), rest(own.y_below), own);
    if (pair_y) targets.add(sums, values(last, own, pair_x), rest(own.y_above), own);
    targets.add(sums, values(above, north, pair_x), north.y_below, north);
  }
};

}  // namespace halotherm::solver
