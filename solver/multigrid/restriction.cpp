// SPDX-License-Identifier: MIT
#include "solver/multigrid/restriction.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

struct RestrictAndSum : ExactReduction {
  Coarsening c;
  comm::GridView<const float> fine;
  comm::GridView<float> coarse;

  RestrictAndSum(const SumScale& the_scale, const Coarsening& coarsening,
                 const comm::GridView<const float>& the_fine,
                 const comm::GridView<float>& the_coarse)
      : ExactReduction(the_scale), c(coarsening), fine(the_fine), coarse(the_coarse) {}

  /// Of the children of a coarse cell.
  struct Term {
    float sum;
    double squares;
  };
  KOKKOS_FORCEINLINE_FUNCTION Term term(int i, int j, int k) const {
    const auto x = children(c, 0, i), y = children(c, 1, j), z = children(c, 2, k);
    const bool pairs = x.end - x.first == 2 && y.end - y.first == 2 && z.end - z.first == 2;
    // with constant bounds all eight loads are on their way at a time
    return pairs ? sum_of({x.first, x.first + 2}, {y.first, y.first + 2}, {z.first, z.first + 2})
                 : sum_of(x, y, z);
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
  KOKKOS_FORCEINLINE_FUNCTION Term sum_of(const Children& x, const Children& y,
                                          const Children& z) const {
    Term all{0, 0};
    HALOTHERM_UNROLL
    for (int f = x.first; f < x.end; ++f) {
      Term column{0, 0};
      HALOTHERM_UNROLL
      for (int kf = z.first; kf < z.end; ++kf) {
        HALOTHERM_UNROLL
        for (int jf = y.first; jf < y.end; ++jf)
          add_cell(load<float>(&fine(f, jf, kf)), column.sum, column.squares);
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
        const float* const cells = &fine(begin, jf, kf);
        for (int n = 0; n < columns; ++n) add_cell(cells[n], sums[n], squares[n]);
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
                   RestrictAndSum(scale, coarsening, fine, coarse));
}

}  // namespace halotherm::solver
