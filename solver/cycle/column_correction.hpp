// SPDX-License-Identifier: MIT
// Interpolation to the fine cells of columns on GPUs, with the bits of TransferView.
#pragma once

#include "solver/cycle/columns.hpp"
#include "solver/field/pack.hpp"

namespace halotherm::solver {

/// x += the correction, of the fine cells that a block owns.
template <class Joined>
struct CorrectColumn {
  TransferView t;
  comm::Box owned;
  comm::Box box;  ///< coarse cells
  comm::GridView<const float> coarse;
  comm::GridView<float> x;

  CorrectColumn(const TransferView& transfer, const comm::Box& the_owned,
                const comm::GridView<const float>& the_coarse, const comm::GridView<float>& the_x)
      : t(transfer),
        owned(the_owned),
        box(coarse_box(transfer, the_owned)),
        coarse(the_coarse),
        x(the_x) {}

  /// The column of (I, J) from `begin` to before `end`.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int I, int J, int begin, int end) const {
    if (!has_pairs(t.c, I, J, end - 1)) {
      for (int K = begin; K < end; ++K) correct_cells(I, J, K);
      return;
    }
    const Pair xs(*this, 0, I), ys(*this, 1, J);
    Planes planes;
    if constexpr (Joined::z) {
      load(planes.below, I, J, begin - 1);
      load(planes.here, I, J, begin);
    }
    for (int K = begin; K < end; ++K) {
      load(Joined::z ? planes.above : planes.here, I, J, Joined::z ? K + 1 : K);
      correct_pairs(xs, ys, Pair(*this, 2, K), Shares(t, I, J, K), planes);
      if constexpr (Joined::z) planes.move_up();
    }
  }

 private:
  static comm::Box coarse_box(const TransferView& transfer, const comm::Box& owned) {
    comm::Box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = transfer.c.parent(axis, owned.lower[axis]);
      box.upper[axis] = transfer.c.parent(axis, owned.upper[axis] - 1) + 1;
    }
    return box;
  }

  /// One by one.
  KOKKOS_FORCEINLINE_FUNCTION void correct_cells(int I, int J, int K) const {
    const auto xs = children(t.c, 0, I), ys = children(t.c, 1, J), zs = children(t.c, 2, K);
    for (int k = zs.first; k < zs.end; ++k) {
      for (int j = ys.first; j < ys.end; ++j) {
        for (int i = xs.first; i < xs.end; ++i) {
          if (owned.contains(i, j, k)) x(i, j, k) = x(i, j, k) + t.correction(coarse, i, j, k);
        }
      }
    }
  }

  /// The first and the last fine cell of a coarse one along an axis, which may be the same.
  struct Pair {
    int index[2];   ///< of a cell that the block owns
    bool owned[2];  ///< whether that is the cell itself, and not the first one again

    KOKKOS_FORCEINLINE_FUNCTION Pair(const CorrectColumn& column, int axis, int coarse_index) {
      const auto cells = children(column.t.c, axis, coarse_index);
      const int lowest = column.owned.lower[axis], last = column.owned.upper[axis] - 1;
      const int at[2] = {cells.first, cells.end - 1};
      HALOTHERM_UNROLL
      for (int n = 0; n < 2; ++n) {
        index[n] = Kokkos::max(lowest, Kokkos::min(at[n], last));
        owned[n] = index[n] == at[n] && (n == 0 || at[0] < at[1]);
      }
    }
  };
  /// What the two cells take of the next coarse cell below or above; 0 where they are the same.
  struct Shares {
    float x[2]{}, y[2]{}, z[2]{};

    KOKKOS_FORCEINLINE_FUNCTION Shares(const TransferView& t, int I, int J, int K) {
      if constexpr (Joined::x) take(t, 0, x, I, J, K);
      if constexpr (Joined::y) take(t, 1, y, I, J, K);
      if constexpr (Joined::z) take(t, 2, z, I, J, K);
    }

   private:
    static KOKKOS_FORCEINLINE_FUNCTION void take(const TransferView& t, int axis,
                                                 float (&shares)[2], int I, int J, int K) {
      shares[0] = t.below[axis](I, J, K);
      shares[1] = t.above[axis](I, J, K);
    }
  };

  /// The coarse cells around one, by offsets along y and x from -1 on; those in the middle where no
  /// cells are joined.
  struct Plane {
    float at[3][3];
  };
  struct Planes {
    Plane below, here, above;
    KOKKOS_FORCEINLINE_FUNCTION void move_up() {
      below = here;
      here = above;
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION void load(Plane& plane, int I, int J, int K) const {
    constexpr int across = Joined::x ? 1 : 0, along = Joined::y ? 1 : 0;
    HALOTHERM_UNROLL
    for (int m = -along; m <= along; ++m) {
      HALOTHERM_UNROLL
      for (int n = -across; n <= across; ++n) plane.at[m + 1][n + 1] = coarse(I + n, J + m, K);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void correct_pairs(const Pair& xs, const Pair& ys, const Pair& zs,
                                                 const Shares& shares, const Planes& planes) const {
    constexpr int nx = Joined::x ? 2 : 1, ny = Joined::y ? 2 : 1, nz = Joined::z ? 2 : 1;
    float values[nz][ny][nx];
    HALOTHERM_UNROLL
    for (int cell = 0; cell < nz * ny * nx; ++cell) {
      const int l = cell / (ny * nx), m = cell / nx % ny, n = cell % nx;
      values[l][m][n] = x(xs.index[n], ys.index[m], zs.index[l]);
    }
    HALOTHERM_UNROLL
    for (int cell = 0; cell < nz * ny * nx; ++cell) {
      const int l = cell / (ny * nx), m = cell / nx % ny, n = cell % nx;
      const float correction = along_x(n, m, l, shares, planes);
      if (xs.owned[n] && ys.owned[m] && zs.owned[l])
        x(xs.index[n], ys.index[m], zs.index[l]) = values[l][m][n] + correction;
    }
  }
  /// The correction of the cell with these numbers along x, y and z.
  static KOKKOS_FORCEINLINE_FUNCTION float along_x(int n, int m, int l, const Shares& shares,
                                                   const Planes& planes) {
    const float own = along_z(1, m, l, shares, planes);
    if constexpr (!Joined::x) return own;
    return TransferView::between(shares.x[n], own, along_z(2 * n, m, l, shares, planes));
  }
  static KOKKOS_FORCEINLINE_FUNCTION float along_z(int at, int m, int l, const Shares& shares,
                                                   const Planes& planes) {
    const float own = along_y(at, m, shares, planes.here);
    if constexpr (!Joined::z) return own;
    return TransferView::between(shares.z[l], own,
                                 along_y(at, m, shares, l == 0 ? planes.below : planes.above));
  }
  static KOKKOS_FORCEINLINE_FUNCTION float along_y(int at, int m, const Shares& shares,
                                                   const Plane& plane) {
    if constexpr (!Joined::y) return plane.at[1][at];
    return TransferView::between(shares.y[m], plane.at[1][at], plane.at[2 * m][at]);
  }
};

}  // namespace halotherm::solver
