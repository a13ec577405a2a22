// SPDX-License-Identifier: MIT
#include "solver/cycle/transfer.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/cycle/column_correction.hpp"
#include "solver/cycle/column_restriction.hpp"
#include "solver/cycle/row_transfer.hpp"

namespace halotherm::solver {

namespace {

/// What fine cells of a coarse one conduct, those with an index of the axis together.
template <int Dim, class Matrix>
struct LineSums {
  Coarsening c;
  int axis;
  Matrix A;

  /// What the upper faces of the cells with this index of the axis conduct, or their lower ones.
  KOKKOS_FORCEINLINE_FUNCTION float faces(int I, int J, int K, int index, bool upper) const {
    return sum(I, J, K, index, [&](const Conductances<Dim>& cell) {
      return upper ? cell.upper[axis] : cell.lower[axis];
    });
  }
  /// What all faces of these cells conduct, and anchors.
  KOKKOS_FORCEINLINE_FUNCTION float diagonals(int I, int J, int K, int index) const {
    return sum(I, J, K, index, [](const Conductances<Dim>& cell) { return cell.diagonal(); });
  }

 private:
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION float sum(int I, int J, int K, int index, const Value& value) const {
    const auto x = across(0, I, index), y = across(1, J, index), z = across(2, K, index);
    float sum = 0;
    for (int k = z.first; k < z.end; ++k) {
      for (int j = y.first; j < y.end; ++j) {
        for (int i = x.first; i < x.end; ++i) sum = sum + value(A.template around<Dim>(i, j, k));
      }
    }
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION Children across(int other, int coarse, int index) const {
    return other == axis ? Children{index, index + 1} : children(c, other, coarse);
  }
};

constexpr float apart = -1;  ///< a resistance that is infinite

/// The resistance between the centre of a coarse cell and those of its outer cells along the axis,
/// all lines through it in parallel; 0 where some of them are void.
template <class Sums>
struct HalfResistances {
  Sums sums;
  comm::GridView<float> half;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int I, int J, int K) const {
    const int at[3] = {I, J, K};
    const auto cells = children(sums.c, sums.axis, at[sums.axis]);
    float resistance = 0;
    for (int index = cells.first; index + 1 < cells.end; ++index) {
      const float conductance = sums.faces(I, J, K, index, true);
      if (!(conductance > 0)) {
        half(I, J, K) = has_void(I, J, K, cells) ? 0 : apart;
        return;
      }
      resistance = resistance + 0.5F / conductance;
    }
    half(I, J, K) = resistance;
  }

 private:
  /// Whether the cells with some index of the axis are void, so that the others are the coarse one.
  KOKKOS_FORCEINLINE_FUNCTION bool has_void(int I, int J, int K, const Children& cells) const {
    for (int index = cells.first; index < cells.end; ++index) {
      if (!(sums.diagonals(I, J, K, index) > 0)) return true;
    }
    return false;
  }
};

template <class Sums>
struct SetShares {
  Sums sums;
  comm::GridView<const float> half;
  comm::GridView<float> below, above;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(int I, int J, int K) const {
    const int at[3] = {I, J, K};
    const auto cells = children(sums.c, sums.axis, at[sums.axis]);
    const bool alone = cells.end - cells.first == 1;
    below(I, J, K) = alone ? 0.0F : share(I, J, K, cells.first, -1);
    above(I, J, K) = alone ? 0.0F : share(I, J, K, cells.end - 1, 1);
  }

 private:
  /// What the cells with this index of the axis take of the coarse cell in this direction.
  KOKKOS_FORCEINLINE_FUNCTION float share(int I, int J, int K, int index, int direction) const {
    int next[3] = {I, J, K};
    next[sums.axis] += direction;
    const float own = half(I, J, K), beyond = half(next[0], next[1], next[2]);
    const float face = sums.faces(I, J, K, index, direction > 0);
    if (!(face > 0) || beyond < 0) return 0;
    // no cell is left to what lies beyond a side
    if (own < 0) return has_cell(sums.c, sums.axis, next[sums.axis]) ? 1.0F : 0.0F;
    return own / (own + (1 / face + beyond));
  }
};

/// On CPUs.
struct CorrectStrip {
  TransferView transfer;
  comm::GridView<const float> coarse;
  comm::GridView<float> x;

  void operator()(const comm::Box& part) const {
    RowCorrection correction(transfer, part.lower[0], part.upper[0]);
    for (int k = part.lower[2]; k < part.upper[2]; ++k) {
      for (int j = part.lower[1]; j < part.upper[1]; ++j)
        correction.add(coarse, j, k, &x(0, j, k), &x(0, j, k));
    }
  }
};

/// On CPUs.
struct RestrictStrip {
  TransferView transfer;
  comm::GridView<const float> fine;
  comm::GridView<float> coarse;

  void operator()(const comm::Box& part) const {
    RowRestriction restriction(transfer, part, coarse);
    restriction.clear();
    const auto& joined = restriction.joined();
    for (int k = joined.lower[2]; k < joined.upper[2]; ++k) {
      for (int j = joined.lower[1]; j < joined.upper[1]; ++j) restriction.add(&fine(0, j, k), j, k);
    }
  }
};

}  // namespace

Transfer::Transfer(const Coarsening& coarsening, const comm::Box& coarse_owned, int layers)
    : coarsening_(coarsening) {
  const auto zeros = [&] {
    return zero_field(coarsening.coarse(), coarse_owned, "shares", layers);
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (coarsening.joins(axis)) shares_[static_cast<std::size_t>(axis)].emplace(zeros(), zeros());
  }
}

TransferView Transfer::view() const {
  TransferView view;
  view.c = coarsening_;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& shares = shares_[static_cast<std::size_t>(axis)];
    view.joins[axis] = shares.has_value();
    if (!shares) continue;
    view.below[axis] = shares->below.view();
    view.above[axis] = shares->above.view();
  }
  return view;
}

bool Transfer::takes(const Coarsening& coarsening) {
  for (int axis = 0; axis < 3; ++axis) {
    if (coarsening.joins(axis) != coarsening_.joins(axis) ||
        coarsening.coarse_cells(axis) != coarsening_.coarse_cells(axis))
      return false;
  }
  coarsening_ = coarsening;
  return true;
}

void set_shares(const comm::Space& space, const comm::Box& coarse_owned, const AnyMatrixView& A,
                Field<float>& scratch, const Exchange& exchange, Transfer& transfer) {
  const auto& coarsening = transfer.coarsening();
  for (int axis = 0; axis < 3; ++axis) {
    auto& shares = transfer.shares()[static_cast<std::size_t>(axis)];
    if (!shares) continue;
    with_matrix(A, coarsening.fine.dimensions, [&](const auto& matrix, auto dim) {
      using Sums = LineSums<dim(), std::decay_t<decltype(matrix)>>;
      const Sums sums{coarsening, axis, matrix};
      comm::for_each_cell(space, "half resistances", coarse_owned,
                          HalfResistances<Sums>{sums, scratch.view()});
      exchange(scratch);
      comm::for_each_cell(space, "shares", coarse_owned,
                          SetShares<Sums>{sums, std::as_const(scratch).view(), shares->below.view(),
                                          shares->above.view()});
    });
    exchange(shares->below);
    exchange(shares->above);
  }
}

void add_correction(const comm::Space& space, const TransferView& transfer, const comm::Box& owned,
                    const comm::GridView<const float>& coarse, const comm::GridView<float>& x) {
  if constexpr (comm::kernels_run_on_host) {
    for_each_strip(space, "correction", strips_of_rows(space, owned),
                   CorrectStrip{transfer, coarse, x});
  } else {
    for_each_column<CorrectColumn>(space, "correction", transfer, owned, coarse, x);
  }
}

void restrict_by(const comm::Space& space, const TransferView& transfer,
                 const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                 const comm::GridView<float>& coarse) {
  if constexpr (comm::kernels_run_on_host) {
    for_each_strip(space, "restriction", strips_of_rows(space, coarse_owned),
                   RestrictStrip{transfer, fine, coarse});
  } else {
    for_each_column<RestrictColumn>(space, "restriction", transfer, coarse_owned, fine, coarse);
  }
}

}  // namespace halotherm::solver
