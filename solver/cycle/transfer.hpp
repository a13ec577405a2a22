// SPDX-License-Identifier: MIT
// Interpolation of corrections by what conducts, and the restriction of residuals by its transpose.
#pragma once

#include "solver/multigrid/coarsening.hpp"
#include "solver/multigrid/exchange.hpp"

#include <array>
#include <optional>

namespace halotherm::solver {

/// Whether there is a coarse cell of this index, at least beyond a periodic side.
KOKKOS_FORCEINLINE_FUNCTION bool has_cell(const Coarsening& c, int axis, int coarse) {
  return c.fine.periodic[axis] || (coarse >= 0 && coarse < c.coarse_cells(axis));
}

/// Between the centres of two coarse cells the correction falls as the resistances between them do:
/// a fine cell takes `share` of the next coarse cell along each axis, and the rest of its own one
/// (operator-dependent interpolation: Alcouffe, Brandt, Dendy & Painter 1981, SIAM J. Sci. Stat.
/// Comput. 2). Residuals are restricted by the transpose.
struct TransferView {
  Coarsening c;
  Kokkos::Array<bool, 3> joins{false, false, false};  ///< the axes along which cells are joined
  /// the share that the first fine cell of a coarse one takes of the coarse cell below, and the
  /// last one of that above, along joined axes; 0 where a fine cell is alone
  comm::GridView<const float> below[3], above[3];

  /// The coarse cells from which a fine one takes; `next` is `own` where that is the only one.
  struct Place {
    int own, next;
  };
  /// Also beyond periodic sides.
  KOKKOS_FORCEINLINE_FUNCTION Place place(int axis, int index) const {
    const int own = c.parent_beyond(axis, index);
    if (!joins[axis]) return {own, own};
    const auto joined = children_beyond(c, axis, own);
    if (joined.end - joined.first == 1) return {own, own};
    if (index == joined.first) return {own, own - 1};
    return {own, index + 1 == joined.end ? own + 1 : own};
  }
  /// What a fine cell in coarse cell (I, J, K) takes of the next one along an axis.
  KOKKOS_FORCEINLINE_FUNCTION float share(int axis, const Place& place, int I, int J, int K) const {
    if (place.next == place.own) return 0;
    return place.next < place.own ? below[axis](I, J, K) : above[axis](I, J, K);
  }
  static KOKKOS_FORCEINLINE_FUNCTION float between(float share, float own, float next) {
    return (1 - share) * own + share * next;
  }

  /// The correction of a fine cell.
  KOKKOS_FORCEINLINE_FUNCTION float correction(const comm::GridView<const float>& coarse, int i,
                                               int j, int k) const {
    const Place x = place(0, i), y = place(1, j), z = place(2, k);
    const float along_y = share(1, y, x.own, y.own, z.own),
                along_z = share(2, z, x.own, y.own, z.own);
    const auto column = [&](int I) {
      return between(along_z, between(along_y, coarse(I, y.own, z.own), coarse(I, y.next, z.own)),
                     between(along_y, coarse(I, y.own, z.next), coarse(I, y.next, z.next)));
    };
    const float along_x = share(0, x, x.own, y.own, z.own);
    return between(along_x, column(x.own), column(x.next));
  }

  /// A line of fine cells at an index of an axis, and what a coarse cell gets of it.
  struct Line {
    int index;
    int own;    ///< the coarse index of its cells
    bool rest;  ///< whether the coarse cell is their own, and gets what the next one leaves
    comm::GridView<const float> share;  ///< of the next one; none: 0

    KOKKOS_FORCEINLINE_FUNCTION float of(int I, int J, int K) const {
      const float taken = share.data == nullptr ? 0.0F : share(I, J, K);
      return rest ? 1 - taken : taken;
    }
  };
  /// The lines whose cells take from a coarse cell: from `first` to before `end`, also beyond
  /// periodic sides.
  KOKKOS_FORCEINLINE_FUNCTION Children lines(int axis, int coarse) const {
    auto cells = children(c, axis, coarse);
    if (joins[axis] && has(axis, coarse - 1)) --cells.first;
    if (joins[axis] && has(axis, coarse + 1)) ++cells.end;
    return cells;
  }
  KOKKOS_FORCEINLINE_FUNCTION Line line(int axis, int coarse, int index) const {
    const auto cells = children(c, axis, coarse);
    if (index < cells.first) return {index, coarse - 1, false, above[axis]};
    if (index >= cells.end) return {index, coarse + 1, false, below[axis]};
    Line line{index, coarse, true, {}};
    if (!joins[axis]) return line;
    if (index == cells.first) line.share = below[axis];
    if (index != cells.first && index + 1 == cells.end) line.share = above[axis];
    return line;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(int axis, int coarse) const {
    return has_cell(c, axis, coarse);
  }

  /// What a coarse cell gets of the fine values `r(i, j, k)`: lines in ascending order.
  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION float restricted(const Values& r, int I, int J, int K) const {
    const auto ys = lines(1, J), zs = lines(2, K);
    float sum = 0;
    for (int k = zs.first; k < zs.end; ++k) {
      const auto z = line(2, K, k);
      for (int j = ys.first; j < ys.end; ++j)
        sum = with_row([&](int i) { return r(i, j, k); }, line(1, J, j), z, I, sum);
    }
    return sum;
  }

 private:
  template <class Row>
  KOKKOS_FORCEINLINE_FUNCTION float with_row(const Row& r, const Line& y, const Line& z, int I,
                                             float sum) const {
    const auto of_row = [&](int at) { return y.of(at, y.own, z.own) * z.of(at, y.own, z.own); };
    const auto cells = children(c, 0, I);
    if (!joins[0]) return sum + of_row(I) * r(cells.first);
    float own = (1 - below[0](I, y.own, z.own)) * r(cells.first);
    for (int i = cells.first + 1; i + 1 < cells.end; ++i) own = own + r(i);
    if (cells.end - cells.first > 1) own = own + (1 - above[0](I, y.own, z.own)) * r(cells.end - 1);
    sum = sum + of_row(I) * own;
    if (has(0, I + 1)) sum = sum + of_row(I + 1) * (below[0](I + 1, y.own, z.own) * r(cells.end));
    if (has(0, I - 1))
      sum = sum + of_row(I - 1) * (above[0](I - 1, y.own, z.own) * r(cells.first - 1));
    return sum;
  }
};

/// Owns the shares of a block's coarse cells.
class Transfer {
 public:
  /// Shares of 0. `layers`: of ghost cells.
  Transfer(const Coarsening& coarsening, const comm::Box& coarse_owned, int layers);

  TransferView view() const;
  /// Takes another coarsening to the same coarse cells along the same axes; false if it is none.
  /// The shares are to be set again.
  bool takes(const Coarsening& coarsening);
  struct Shares {
    Field<float> below, above;
  };
  /// Along each axis; none where no cells are joined.
  std::array<std::optional<Shares>, 3>& shares() { return shares_; }
  const Coarsening& coarsening() const { return coarsening_; }

 private:
  Coarsening coarsening_;
  std::array<std::optional<Shares>, 3> shares_;
};

/// Sets the shares from the matrix of the fine level, whose ghost cells it reads where blocks end
/// between joined cells. `scratch`: of the coarse cells, 0 beyond sides; `exchange` makes ghost
/// cells of such fields valid. This function, but for `exchange`, and those below are asynchronous
/// on `space`.
void set_shares(const comm::Space& space, const comm::Box& coarse_owned, const AnyMatrixView& A,
                Field<float>& scratch, const Exchange& exchange, Transfer& transfer);

/// x += the correction, of cells that a block owns; `coarse` and shares in one layer of ghost
/// cells, 0 beyond sides.
void add_correction(const comm::Space& space, const TransferView& transfer, const comm::Box& owned,
                    const comm::GridView<const float>& coarse, const comm::GridView<float>& x);
/// coarse = what its cells get of `fine`, in one layer of ghost cells; in two where blocks end
/// between joined cells.
void restrict_by(const comm::Space& space, const TransferView& transfer,
                 const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                 const comm::GridView<float>& coarse);

}  // namespace halotherm::solver
