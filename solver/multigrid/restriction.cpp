// SPDX-License-Identifier: MIT
#include "solver/multigrid/restriction.hpp"

#include "comm/device/for_each_cell.hpp"
#include "solver/multigrid/joined_sum.hpp"

#include <algorithm>

namespace halotherm::solver {

namespace {

struct RestrictCells {
  Coarsening c;
  comm::GridView<const float> values;
  comm::GridView<float> coarse;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, int j, int k) const {
    const auto x = children(c, 0, i), y = children(c, 1, j), z = children(c, 2, k);
    const bool pairs = x.end - x.first == 2 && y.end - y.first == 2 && z.end - z.first == 2;
    coarse(i, j, k) = pairs ? sum_of_pairs(x.first, y.first, z.first) : sum_of(x, y, z);
  }

 private:
  /// The same sum with constant bounds, so that the loads of all cells are on their way at a time.
  KOKKOS_FORCEINLINE_FUNCTION float sum_of_pairs(int i, int j, int k) const {
    float sum = 0;
    HALOTHERM_UNROLL
    for (int n = 0; n < 8; ++n) sum = sum + values(i + n % 2, j + n / 2 % 2, k + n / 4);
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION float sum_of(const Children& x, const Children& y,
                                           const Children& z) const {
    float sum = 0;
    for (int kf = z.first; kf < z.end; ++kf) {
      for (int jf = y.first; jf < y.end; ++jf) {
        for (int f = x.first; f < x.end; ++f) sum = sum + values(f, jf, kf);
      }
    }
    return sum;
  }
};

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
    return fine(i, j, k) = rounded.rounding(loaded, i, j, k);
  }
  const float* row(int begin, int count, int j, int k) const {
    // local, so that the compiler sees that stores change no view
    const Rounding<Real> rounding = rounded.rounding;
    const Real* const from = &rounded.values(begin, j, k);
    float* const to = &fine(begin, j, k);
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#pragma GCC ivdep  // of different fields
#endif
    for (int n = 0; n < count; ++n) to[n] = rounding(from[n], begin + n, j, k);
    return to;
  }
};

/// coarse = the sums of joined cells; reduces the sums of their squares. `Cells` gives a fine cell
/// by `value(loaded(i, j, k), i, j, k)`, and on CPUs a row of them by `row(begin, count, j, k)`.
template <class Cells>
struct RestrictAndSum : ExactReduction {
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

  static constexpr int most_cells = 256, most_columns = 2 * most_cells + 1;

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

}  // namespace

void restrict_to(const comm::Space& space, const Coarsening& coarsening,
                 const comm::Box& coarse_owned, const comm::GridView<const float>& fine,
                 const comm::GridView<float>& coarse) {
  comm::for_each_cell(space, "restriction", coarse_owned, RestrictCells{coarsening, fine, coarse});
}

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
