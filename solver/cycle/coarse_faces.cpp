// SPDX-License-Identifier: MIT
#include "solver/cycle/coarse_faces.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/cycle/row_transfer.hpp"
#include "solver/linear/vectors.hpp"

namespace halotherm::solver {

namespace {

/// Where a cell lies along an axis.
struct Position {
  int cell;           ///< fine index, but coarse along the axis of the faces
  int coarse;         ///< its coarse cell
  int next;           ///< the coarse cell from which it takes too, or its own one
  Children cells;     ///< fine ones of the coarse cell
  bool below, above;  ///< whether there are coarse cells beside it
};

/// What fine faces give to the coarse face at one side of a coarse cell, line by line: cells have a
/// coarse index along the axis and fine ones along the others.
template <int Axis>
struct LineValues {
  TransferView t;
  MatrixView fine;
  comm::Box coarse_owned;
  bool upper;  ///< the face above the cell, not that below it

  KOKKOS_FORCEINLINE_FUNCTION Position position(int axis, int cell) const {
    const TransferView::Place of_cell =
        axis == Axis ? TransferView::Place{cell, cell} : t.place(axis, cell);
    return {cell,
            of_cell.own,
            of_cell.next,
            children_beyond(t.c, axis, of_cell.own),
            t.has(axis, of_cell.own - 1),
            t.has(axis, of_cell.own + 1)};
  }
  KOKKOS_FORCEINLINE_FUNCTION float operator()(int i, int j, int k) const {
    return value(position(0, i), position(1, j), position(2, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION float value(const Position& x, const Position& y,
                                          const Position& z) const {
    const Position* const positions[3] = {&x, &y, &z};
    const int coarse[3] = {x.coarse, y.coarse, z.coarse};
    int cell[3] = {x.cell, y.cell, z.cell};
    const auto& along = *positions[Axis];
    float below = 0, above = 0;
    if (t.joins[Axis]) {
      below = at(t.below[Axis], coarse);
      above = at(t.above[Axis], coarse);
    }
    const float share = upper ? above : below;
    float value = 0;
    if (share > 0) {
      cell[Axis] = upper ? along.cells.end - 1 : along.cells.first + 1;
      value = at(fine.lower[Axis], cell) * (share * (below + above));
    }
    cell[Axis] = upper ? along.cells.end : along.cells.first;
    value = value + at(fine.lower[Axis], cell) * of_face(along, coarse, 1 - share);
    if (!t.joins[Axis]) return value;
    cell[Axis] = upper ? along.cells.end - 1 : along.cells.first;
    return (value + of_slopes<one>(*positions[one], cell, coarse)) +
           of_slopes<other>(*positions[other], cell, coarse);
  }

 private:
  static constexpr int one = Axis == 0 ? 1 : 0, other = Axis == 2 ? 1 : 2;

  template <class Values>
  static KOKKOS_FORCEINLINE_FUNCTION float at(const Values& values, const int (&cell)[3]) {
    return values(cell[0], cell[1], cell[2]);
  }
  static KOKKOS_FORCEINLINE_FUNCTION float beside(const comm::GridView<const float>& values,
                                                  const int (&cell)[3], int axis, int distance) {
    int next[3] = {cell[0], cell[1], cell[2]};
    next[axis] += distance;
    return at(values, next);
  }
  /// This cell's half of the face between both coarse cells, whose corrections differ by `rest` of
  /// their difference, less what the other cell takes; the whole of a side's face.
  KOKKOS_FORCEINLINE_FUNCTION float of_face(const Position& along, const int (&coarse)[3],
                                            float rest) const {
    if (!(upper ? along.above : along.below)) return rest * rest;
    if (t.joins[Axis])
      rest = rest - (upper ? beside(t.below[Axis], coarse, Axis, 1)
                           : beside(t.above[Axis], coarse, Axis, -1));
    return 0.5F * (rest * rest);
  }
  /// Half of faces between coarse cells along another axis, whose two cells take different shares
  /// along this one.
  template <int Along>
  KOKKOS_FORCEINLINE_FUNCTION float of_slopes(const Position& position, const int (&cell)[3],
                                              const int (&coarse)[3]) const {
    const bool alone = position.next == position.coarse;
    // a line beside the block that is alone gives nothing to it
    if (alone && (position.coarse < coarse_owned.lower[Along] ||
                  position.coarse >= coarse_owned.upper[Along]))
      return 0;
    float sum = 0;
    if (position.below && (alone || position.next < position.coarse))
      sum = of_slope<Along>(cell, coarse, -1);
    if (position.above && (alone || position.next > position.coarse))
      sum = sum + of_slope<Along>(cell, coarse, 1);
    return sum;
  }
  template <int Along>
  KOKKOS_FORCEINLINE_FUNCTION float of_slope(const int (&cell)[3], const int (&coarse)[3],
                                             int direction) const {
    const auto& shares = upper ? t.above[Axis] : t.below[Axis];
    const float slope = beside(shares, coarse, Along, direction) - at(shares, coarse);
    const float face = beside(fine.lower[Along], cell, Along, direction > 0 ? 1 : 0);
    return 0.5F * (face * (slope * slope));
  }
};

/// What remains where the cells along an axis are joined already.
TransferView across(const TransferView& transfer, int axis) {
  auto result = transfer;
  result.c.fine.cells[axis] = transfer.c.coarse_cells(axis);
  result.c.factors[axis] = 1;
  result.c.ends_in_three[axis] = false;
  result.c.partly[axis] = {};
  result.joins[axis] = false;
  return result;
}

/// On GPUs.
template <int Axis>
struct CoarseFaces {
  TransferView across;
  LineValues<Axis> above_cells, below_cells;
  comm::GridView<float> faces;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int I, int J, int K) const {
    int cell[3] = {I, J, K};
    float sum = 0;
    if (below_cells.t.has(Axis, cell[Axis])) sum = across.restricted(below_cells, I, J, K);
    --cell[Axis];
    if (below_cells.t.has(Axis, cell[Axis]))
      sum = sum + across.restricted(above_cells, cell[0], cell[1], cell[2]);
    faces(I, J, K) = sum;
  }
};

/// On CPUs: adds to the faces of coarse cells, by index of these.
template <int Axis>
struct AddLines {
  TransferView across;
  LineValues<Axis> lines;
  comm::GridView<float> faces;

  void operator()(const comm::Box& part) const {
    RowRestriction restriction(across, part, faces);
    const auto& joined = restriction.joined();
    const int begin = joined.lower[0], end = joined.upper[0];
    ThreadFloats values(static_cast<std::size_t>(end - begin));
    float* const row = values.data() - begin;
    std::vector<Position> positions;
    for (int i = begin; i < end; ++i) positions.push_back(lines.position(0, i));
    for (int k = joined.lower[2]; k < joined.upper[2]; ++k) {
      const auto z = lines.position(2, k);
      for (int j = joined.lower[1]; j < joined.upper[1]; ++j) {
        const auto y = lines.position(1, j);
        for (const auto& x : positions) row[x.cell] = lines.value(x, y, z);
        restriction.add(row, j, k);
      }
    }
  }
};

template <int Axis>
void set_faces(const comm::Space& space, const TransferView& transfer,
               const comm::Box& coarse_owned, const MatrixView& fine,
               const comm::GridView<float>& coarse) {
  const auto rest = across(transfer, Axis);
  const LineValues<Axis> above{transfer, fine, coarse_owned, true},
      below{transfer, fine, coarse_owned, false};
  const auto faces = transfer.c.coarse().faces(coarse_owned, Axis);
  if constexpr (!comm::kernels_run_on_host) {
    comm::for_each_cell(space, "coarse conductances", faces,
                        CoarseFaces<Axis>{rest, above, below, coarse});
  } else {
    clear(space, faces, coarse);
    const auto add = [&](const comm::Box& cells, const LineValues<Axis>& lines,
                         const comm::GridView<float>& to) {
      if (cells.empty()) return;  // a block of one cell may have no face above it
      for_each_strip(space, "coarse conductances", strips_of_rows(space, cells),
                     AddLines<Axis>{rest, lines, to});
    };
    add(coarse_owned, below, coarse);
    auto cells = coarse_owned;
    if (transfer.has(Axis, cells.lower[Axis] - 1)) --cells.lower[Axis];
    if (faces.upper[Axis] == coarse_owned.upper[Axis]) --cells.upper[Axis];
    auto upper = coarse;
    upper.origin += Axis == 0 ? 1 : Axis == 1 ? coarse.row : coarse.plane;
    add(cells, above, upper);
  }
}

}  // namespace

void coarsen(const comm::Space& space, const TransferView& transfer, const comm::Box& coarse_owned,
             const MatrixView& fine, Matrix& coarse) {
  const auto grid = transfer.c.coarse();
  const auto along = [&](auto axis) {
    constexpr int a = axis();
    if (a >= grid.dimensions || (grid.periodic[a] && grid.cells[a] == 1)) return;
    set_faces<a>(space, transfer, coarse_owned, fine, coarse.lower(a).view());
  };
  along(std::integral_constant<int, 0>{});
  along(std::integral_constant<int, 1>{});
  along(std::integral_constant<int, 2>{});
  if (coarse.anchored())
    restrict_by(space, transfer, coarse_owned, fine.anchor, coarse.anchor().view());
}

}  // namespace halotherm::solver
