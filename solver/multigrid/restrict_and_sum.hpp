// SPDX-License-Identifier: MIT
// Sums over joined cells and of their squares, in one pass.
#pragma once

#include "solver/diagnostics/exact_reduction.hpp"
#include "solver/multigrid/coarsening.hpp"

#include <algorithm>

namespace halotherm::solver {

/// What joined cells add up to. Columns of cells along y and z are summed first, then these along
/// x, on CPUs and GPUs alike.
struct JoinedSum {
  float sum = 0;
  double squares = 0;

  static KOKKOS_FORCEINLINE_FUNCTION void add(float cell, float& sum, double& squares) {
    const auto wide = static_cast<double>(cell);
    sum = sum + cell;
    squares = multiply_add(wide, wide, squares);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(float cell) { add(cell, sum, squares); }
  KOKKOS_FORCEINLINE_FUNCTION JoinedSum operator+(const JoinedSum& other) const {
    return {sum + other.sum, squares + other.squares};
  }
};

/// coarse = the sums of joined cells; reduces the sums of their squares. `Cells` gives a fine cell
/// by `value(loaded(i, j, k), i, j, k)`, and on CPUs a row of them by `row(begin, count, j, k)`.
template <class Cells>
struct RestrictAndSum : ExactReduction {
  /// On CPUs: of a part of a row, and the fine ones of these.
  static constexpr int most_cells = 256, most_columns = 2 * most_cells + 1;

  Coarsening c;
  Cells cells;
  comm::GridView<float> coarse;

  RestrictAndSum(const SumScale& the_scale, const Coarsening& coarsening, const Cells& the_cells,
                 const comm::GridView<float>& the_coarse)
      : ExactReduction(the_scale), c(coarsening), cells(the_cells), coarse(the_coarse) {}

  KOKKOS_FORCEINLINE_FUNCTION JoinedSum term(int i, int j, int k) const {
    const auto x = children(c, 0, i), y = children(c, 1, j), z = children(c, 2, k);
    const bool pairs = x.end - x.first == 2 && y.end - y.first == 2 && z.end - z.first == 2;
    return pairs ? sum_of_pairs(x.first, y.first, z.first) : sum_of(x, y, z);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_term(const JoinedSum& term, int i, int j, int k,
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
  KOKKOS_FORCEINLINE_FUNCTION JoinedSum sum_of_pairs(int i, int j, int k) const {
    typename Cells::Loaded loaded[8];
    HALOTHERM_UNROLL
    for (int n = 0; n < 8; ++n) loaded[n] = cells.loaded(i + n % 2, j + n / 2 % 2, k + n / 4);
    JoinedSum columns[2];
    HALOTHERM_UNROLL
    for (int n = 0; n < 8; ++n)
      columns[n % 2].add(cells.value(loaded[n], i + n % 2, j + n / 2 % 2, k + n / 4));
    return columns[0] + columns[1];
  }
  KOKKOS_FORCEINLINE_FUNCTION JoinedSum sum_of(const Children& x, const Children& y,
                                               const Children& z) const {
    JoinedSum all;
    for (int f = x.first; f < x.end; ++f) {
      JoinedSum column;
      for (int kf = z.first; kf < z.end; ++kf) {
        for (int jf = y.first; jf < y.end; ++jf)
          column.add(cells.value(cells.loaded(f, jf, kf), f, jf, kf));
      }
      all = all + column;
    }
    return all;
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
        for (int n = 0; n < columns; ++n) JoinedSum::add(row[n], sums[n], squares[n]);
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

}  // namespace halotherm::solver
