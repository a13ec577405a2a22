// SPDX-License-Identifier: MIT
#include "solver/multigrid/restriction.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

/// Fine cells that are stored.
struct StoredCells {
  using Loaded = float;
  comm::GridView<const float> fine;

  KOKKOS_FORCEINLINE_FUNCTION float loaded(int i, int j, int k) const {
    return load<float>(&fine(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION float value(float loaded, int, int, int) const { return loaded; }
  /// On CPUs: of a row from `begin` on.
  const float* row(int begin, int, int j, int k) const { return &fine(begin, j, k); }
};

/// Those that are made of rounded values, and stored.
template <class Real>
struct RoundedCells {
  using Loaded = Real;
  Rounded<Real> rounded;
  comm::GridView<float> fine;

  KOKKOS_FORCEINLINE_FUNCTION Real loaded(int i, int j, int k) const {
    return load<Real>(&rounded.values(i, j, k));
  }
  KOKKOS_FORCEINLINE_FUNCTION float value(Real loaded, int i, int j, int k) const {
    return fine(i, j, k) = rounded.of(loaded, i, j, k);
  }
  const float* row(int begin, int count, int j, int k) const {
    const Rounded<Real> by =
        rounded;  // local, so that the compiler sees that stores change no view
    const Real* const from = &by.values(begin, j, k);
    float* const to = &fine(begin, j, k);
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#pragma GCC ivdep  // of different fields
#endif
    for (int n = 0; n < count; ++n) to[n] = by.of(from[n], begin + n, j, k);
    return to;
  }
};

template <class Cells>
struct RestrictAndSum : ExactReduction {
  Coarsening c;
  Cells cells;
  comm::GridView<float> coarse;

  RestrictAndSum(const SumScale& the_scale, const Coarsening& coarsening, const Cells& the_cells,
                 const comm::GridView<float>& the_coarse)
      : ExactReduction(the_scale), c(coarsening), cells(the_cells), coarse(the_coarse) {}

  /// Of the children of a coarse cell.
  struct Term {
    float sum;
    double squares;
  };
  KOKKOS_FORCEINLINE_FUNCTION Term term(int i, int j, int k) const {
    const auto x = children(c, 0, i), y = children(c, 1, j), z = children(c, 2, k);
    const bool pairs = x.end - x.first == 2 && y.end - y.first == 2 && z.end - z.first == 2;
    return pairs ? sum_of_pairs(x.first, y.first, z.first) : sum_of(x, y, z);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_term(const Term& term, int i, int j, int k,
                                            Collected& value) const {
    coarse(i, j, k) = term.sum;
    add(term.squares, value);
  }

  /// On CPUs: the columns of many cells together.
  void row(int first, int end, int j, int k, Collected& value) const {
    for (int i = first; i < end; i += most_cells)
      part_of_row(i, std::min(i + most_cells, end), j, k, value);
  }

 private:
  /// All eight loads are on their way at a time, before the first store.
  KOKKOS_FORCEINLINE_FUNCTION Term sum_of_pairs(int i, int j, int k) const {
    typename Cells::Loaded loaded[8];
    HALOTHERM_UNROLL
    for (int n = 0; n < 8; ++n) loaded[n] = cells.loaded(i + n % 2, j + n / 2 % 2, k + n / 4);
    Term columns[2] = {{0, 0}, {0, 0}};
    HALOTHERM_UNROLL
    for (int n = 0; n < 8; ++n) {
      const float cell = cells.value(loaded[n], i + n % 2, j + n / 2 % 2, k + n / 4);
      add_cell(cell, columns[n % 2].sum, columns[n % 2].squares);
    }
    return {columns[0].sum + columns[1].sum, columns[0].squares + columns[1].squares};
  }
  KOKKOS_FORCEINLINE_FUNCTION Term sum_of(const Children& x, const Children& y,
                                          const Children& z) const {
    Term all{0, 0};
    for (int f = x.first; f < x.end; ++f) {
      Term column{0, 0};
      for (int kf = z.first; kf < z.end; ++kf) {
        for (int jf = y.first; jf < y.end; ++jf)
          add_cell(cells.value(cells.loaded(f, jf, kf), f, jf, kf), column.sum, column.squares);
      }
      all = {all.sum + column.sum, all.squares + column.squares};
    }
    return all;
  }

  static constexpr int most_cells = 256, most_columns = 2 * most_cells + 1;

  static KOKKOS_FORCEINLINE_FUNCTION void add_cell(float cell, float& sum, double& squares) {
    const double wide = static_cast<double>(cell);
    sum = sum + cell;
    squares = multiply_add(wide, wide, squares);
  }

  void part_of_row(int first, int end, int j, int k, Collected& value) const {
    const auto y = children(c, 1, j), z = children(c, 2, k);
    const int begin = children(c, 0, first).first, columns = children(c, 0, end - 1).end - begin;
    float sums[most_columns];
    double squares[most_columns];
    std::fill_n(sums, columns, 0.0F);
    std::fill_n(squares, columns, 0.0);
    for (int kf = z.first; kf < z.end; ++kf) {
      for (int jf = y.first; jf < y.end; ++jf) {
        const float* const row = cells.row(begin, columns, jf, kf);
        for (int n = 0; n < columns; ++n) add_cell(row[n], sums[n], squares[n]);
      }
    }
    float* const to = &coarse(first, j, k);
    for (int i = first; i < end; ++i) {
      const auto x = children(c, 0, i);
      float sum = 0;
      double sum_of_squares = 0;
      for (int f = x.first - begin; f < x.end - begin; ++f) {
        sum = sum + sums[f];
        sum_of_squares = sum_of_squares + squares[f];
      }
      to[i - first] = sum;
      squares[i - first] = sum_of_squares;  // of a column that is no longer needed
    }
    add_all(
        end - first, [&](int n) { return squares[n]; }, value);
  }
};

}  // namespace

ProductSum restrict_and_sum(const comm::Space& space, const Coarsening& coarsening,
                            const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                            const comm::GridView<float>& coarse, const SumScale& scale) {
  return exact_sum(space, "restriction", coarse_owned,
                   RestrictAndSum<StoredCells>(scale, coarsening, {fine}, coarse));
}

template <class Real>
ProductSum round_restrict_and_sum(const comm::Space& space, const Coarsening& coarsening,
                                  const comm::Box& coarse_owned, const Rounded<Real>& rounded,
                                  const comm::GridView<float>& fine,
                                  const comm::GridView<float>& coarse, const SumScale& scale) {
  return exact_sum(space, "rounded restriction", coarse_owned,
                   RestrictAndSum<RoundedCells<Real>>(scale, coarsening, {rounded, fine}, coarse));
}

#define HALOTHERM_INSTANTIATE(Real)                                                  \
  template ProductSum round_restrict_and_sum(                                        \
      const comm::Space&, const Coarsening&, const comm::Box&, const Rounded<Real>&, \
      const comm::GridView<float>&, const comm::GridView<float>&, const SumScale&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::solver
