// SPDX-License-Identifier: MIT
#include "solver/linear/coarsening.hpp"

#include "comm/device/for_each_cell.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halotherm::solver {

namespace {

/// The fine cells of a coarse one along an axis.
struct Children {
  int first;
  int end;
};
KOKKOS_FORCEINLINE_FUNCTION Children children(const Coarsening& c, int axis, int coarse) {
  const int first = c.factors[axis] * coarse;
  return {first, Kokkos::min(first + c.factors[axis], c.fine.cells[axis])};
}

/// The conductance of a coarse face across an axis on a line of cells, whose fine faces are
/// `face(index)`; index −1 is that of a periodic side's other end.
template <class Value, class Face>
KOKKOS_FORCEINLINE_FUNCTION Value coarse_face(const Coarsening& c, int axis, int coarse_index,
                                              const Face& face) {
  const int cells = c.fine.cells[axis];
  if (c.factors[axis] == 1) return face(coarse_index);
  const int index = Kokkos::min(2 * coarse_index, cells);
  const Value own = face(index), half = static_cast<Value>(0.5);
  if (!(own > 0)) return 0;
  Value resistance = 1 / own;
  const auto add_half_of = [&](Value other) {
    if (other > 0) resistance = resistance + half / other;
  };
  // the face inside of the coarse cell below exists if that has two cells
  const bool pair_below =
      coarse_index > 0 ? index == 2 * coarse_index : c.fine.periodic[axis] && cells % 2 == 0;
  if (pair_below) add_half_of(face(index - 1));
  if (2 * coarse_index + 1 < cells) add_half_of(face(index + 1));
  return Kokkos::max(1 / resistance, own * half);
}

template <int Axis>
struct CoarseFaces {
  Coarsening c;
  comm::GridView<const float> fine;
  comm::GridView<float> coarse;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    constexpr int across[2] = {Axis == 0 ? 1 : 0, Axis == 2 ? 1 : 2};
    const int at[3] = {i, j, k};
    float sum = 0;
    const auto ones = children(c, across[0], at[across[0]]),
               others = children(c, across[1], at[across[1]]);
    for (int other = others.first; other < others.end; ++other) {
      for (int one = ones.first; one < ones.end; ++one) sum = sum + line(at[Axis], one, other);
    }
    coarse(i, j, k) = sum;
  }

 private:
  /// The fine conductance at this index of the axis on a line of cells.
  KOKKOS_FORCEINLINE_FUNCTION float face(int index, int one, int other) const {
    if constexpr (Axis == 0) return fine(index, one, other);
    if constexpr (Axis == 1) return fine(one, index, other);
    return fine(one, other, index);
  }
  /// A line through the coarse face.
  KOKKOS_FORCEINLINE_FUNCTION float line(int coarse_index, int one, int other) const {
    return coarse_face<float>(c, Axis, coarse_index,
                              [&](int index) { return face(index, one, other); });
  }
};

template <class Values>
struct Restriction {
  Coarsening c;
  Values values;
  comm::GridView<float> coarse;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const auto x = children(c, 0, i), y = children(c, 1, j), z = children(c, 2, k);
    float sum = 0;
    for (int kf = z.first; kf < z.end; ++kf) {
      for (int jf = y.first; jf < y.end; ++jf) {
        for (int f = x.first; f < x.end; ++f) sum = sum + values(f, jf, kf);
      }
    }
    coarse(i, j, k) = sum;
  }
};

template <int Dim, class Matrix>
struct ResidualValues {
  Matrix A;
  comm::GridView<const float> b, x;
  KOKKOS_FORCEINLINE_FUNCTION float operator()(int i, int j, int k) const {
    return b(i, j, k) + A.template around<Dim>(i, j, k).flow(x, i, j, k);
  }
};

/// Whether it may.
KOKKOS_FORCEINLINE_FUNCTION bool has_void_cells(const MatrixView& A) {
  return A.anchored;
}
KOKKOS_FORCEINLINE_FUNCTION bool has_void_cells(const SeparableView&) {
  return false;
}

template <int Dim, class Matrix>
struct Correction {
  comm::Int3 shift;  ///< of a fine index that gives the coarse one
  Matrix A;
  comm::GridView<const float> coarse;
  comm::GridView<float> x;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    if (has_void_cells(A) && !(A.template around<Dim>(i, j, k).diagonal() > 0)) return;
    x(i, j, k) = x(i, j, k) + coarse(i >> shift[0], j >> shift[1], k >> shift[2]);
  }
};

}  // namespace

LevelGrid Coarsening::coarse() const {
  auto grid = fine;
  for (int axis = 0; axis < 3; ++axis)
    grid.cells[axis] = (fine.cells[axis] + factors[axis] - 1) / factors[axis];
  return grid;
}

Coarsening coarsening_of(const LevelGrid& fine, const std::array<double, 3>& conductance) {
  constexpr double weak = 0.25;
  double best = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (fine.cells[axis] > 1) best = std::max(best, conductance[static_cast<std::size_t>(axis)]);
  }
  Coarsening result{fine, {1, 1, 1}};
  for (int axis = 0; axis < 3; ++axis) {
    if (fine.cells[axis] > 1 && conductance[static_cast<std::size_t>(axis)] >= weak * best)
      result.factors[axis] = 2;
  }
  return result;
}

void coarsen(const comm::Space& space, const Coarsening& coarsening, const comm::Box& coarse_owned,
             const MatrixView& fine, Matrix& coarse) {
  const auto grid = coarsening.coarse();
  const auto along = [&](auto axis) {
    constexpr int a = axis();
    if (a >= grid.dimensions || (grid.periodic[a] && grid.cells[a] == 1)) return;
    comm::for_each_cell(space, "coarse conductances", grid.faces(coarse_owned, a),
                        CoarseFaces<a>{coarsening, fine.lower[a], coarse.lower(a).view()});
  };
  along(std::integral_constant<int, 0>{});
  along(std::integral_constant<int, 1>{});
  along(std::integral_constant<int, 2>{});
  if (coarse.anchored())
    restrict_to(space, coarsening, coarse_owned, fine.anchor, coarse.anchor().view());
}

SeparableMatrix coarsened(const Coarsening& coarsening, const SeparableMatrix& fine) {
  const auto grid = coarsening.coarse();
  std::array<AxisFactors, 3> factors;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& from = fine.along(axis);
    auto& to = factors[static_cast<std::size_t>(axis)];
    to.conductivity = from.conductivity;
    const auto face = [&](int index) {
      return from
          .face[static_cast<std::size_t>(index < 0 ? coarsening.fine.cells[axis] - 1 : index)];
    };
    const bool periodic = grid.periodic[axis];
    for (int index = 0; index <= grid.cells[axis]; ++index) {
      const bool wraps = periodic && index == grid.cells[axis];
      to.face.push_back(wraps ? to.face.front()
                              : coarse_face<double>(coarsening, axis, index, face));
    }
    if (periodic && grid.cells[axis] == 1) to.face = {0, 0};  // a cell beside itself
    for (int index = 0; index < grid.cells[axis]; ++index) {
      const auto cells = children(coarsening, axis, index);
      to.area.push_back(
          std::accumulate(from.area.begin() + cells.first, from.area.begin() + cells.end, 0.0));
    }
  }
  return {grid, std::move(factors), fine.mass()};
}

void restrict_to(const comm::Space& space, const Coarsening& coarsening,
                 const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                 const comm::GridView<float>& coarse) {
  comm::for_each_cell(space, "restriction", coarse_owned,
                      Restriction<comm::GridView<const float>>{coarsening, fine, coarse});
}

void restrict_residual(const comm::Space& space, const Coarsening& coarsening,
                       const comm::Box& coarse_owned, const AnyMatrixView& A,
                       const comm::GridView<const float>& b, const comm::GridView<const float>& x,
                       const comm::GridView<float>& coarse) {
  with_matrix(A, coarsening.fine.dimensions, [&](const auto& matrix, auto dim) {
    using Values = ResidualValues<dim(), std::decay_t<decltype(matrix)>>;
    comm::for_each_cell(space, "restricted residual", coarse_owned,
                        Restriction<Values>{coarsening, {matrix, b, x}, coarse});
  });
}

void add_correction(const comm::Space& space, const Coarsening& coarsening,
                    const comm::Box& fine_owned, const AnyMatrixView& A,
                    const comm::GridView<const float>& coarse, const comm::GridView<float>& x) {
  comm::Int3 shift{};
  for (int axis = 0; axis < 3; ++axis) shift[axis] = coarsening.factors[axis] - 1;
  with_matrix(A, coarsening.fine.dimensions, [&](const auto& matrix, auto dim) {
    using Form = std::decay_t<decltype(matrix)>;
    comm::for_each_cell(space, "correction", fine_owned,
                        Correction<dim(), Form>{shift, matrix, coarse, x});
  });
}

}  // namespace halotherm::solver
