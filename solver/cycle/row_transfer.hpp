// SPDX-License-Identifier: MIT
// Interpolation and restriction of rows of cells on CPUs, with the bits of those of columns on
// GPUs.
#pragma once

#include "solver/cycle/transfer.hpp"
#include "solver/linear/strips.hpp"

#include <algorithm>
#include <vector>

namespace halotherm::solver {

/// The transfer of coarse cells side by side in each row, ghost cells included.
class RowTransfer {
 public:
  /// From `begin` to before `end`.
  RowTransfer(const TransferView& transfer, int begin, int end)
      : t_(transfer), begin_(begin), end_(end), zeros_(places()), temporaries_(4 * places()) {
    for (int I = begin; I < end; ++I) cells_.push_back(children_beyond(transfer.c, 0, I));
    pairs_begin_ = begin;
    while (pairs_begin_ < end && !is_pair(pairs_begin_)) ++pairs_begin_;
    if (pairs_begin_ < end) offset_ = children_of(pairs_begin_).first - 2 * pairs_begin_;
    pairs_end_ = pairs_begin_;
    while (pairs_end_ < end && is_pair(pairs_end_) &&
           children_of(pairs_end_).first == 2 * pairs_end_ + offset_)
      ++pairs_end_;
  }

  /// correction[i] of the fine cells of these coarse ones, in a row; reads the coarse cells beside
  /// them, too.
  void correct(const comm::GridView<const float>& coarse, int j, int k, float* correction) const {
    const auto y = t_.place(1, j), z = t_.place(2, k);
    const CoarseRows rows{{&coarse(0, y.own, z.own), &coarse(0, y.next, z.own),
                           &coarse(0, y.own, z.next), &coarse(0, y.next, z.next)},
                          shares(1, y, y.own, z.own),
                          shares(2, z, y.own, z.own)};
    if (!t_.joins[0]) {
#pragma GCC ivdep
      for (int I = begin_; I < end_; ++I) correction[I] = rows.value(I, I);
      return;
    }
    const float* const below = &t_.below[0](0, y.own, z.own);
    const float* const above = &t_.above[0](0, y.own, z.own);
    const auto irregular = [&](int first, int end) {
      for (int I = first; I < end; ++I) {
        const auto cells = children_of(I);
        const float own = rows.value(I, I);
        for (int i = cells.first; i < cells.end; ++i) correction[i] = own;
        if (cells.end - cells.first == 1) continue;
        correction[cells.first] = TransferView::between(below[I], own, rows.value(I, I - 1));
        correction[cells.end - 1] = TransferView::between(above[I], own, rows.value(I, I + 1));
      }
    };
    irregular(begin_, pairs_begin_);
    float* const to = correction + offset_;
#pragma GCC ivdep
    for (int I = pairs_begin_; I < pairs_end_; ++I) {
      const float own = rows.value(I, I);
      to[2 * I] = TransferView::between(below[I], own, rows.value(I, I - 1));
      to[2 * I + 1] = TransferView::between(above[I], own, rows.value(I, I + 1));
    }
    irregular(pairs_end_, end_);
  }

  /// Adds what the coarse cells from `first` to before `last` get of a row of fine ones; rows are
  /// to come in ascending order. `row_of(J, K)` is a coarse row by index along x, or null where it
  /// is not wanted.
  template <class RowOf>
  void restrict_row(const float* residual, int j, int k, int first, int last, const RowOf& row_of) {
    const auto y = t_.place(1, j), z = t_.place(2, k);
    split(residual, y.own, z.own, first, last);
    const float *const of_y = shares(1, y, y.own, z.own), *const of_z = shares(2, z, y.own, z.own);
    for (const bool next_z : {false, true}) {
      if (next_z && z.next == z.own) continue;
      for (const bool next_y : {false, true}) {
        if (next_y && y.next == y.own) continue;
        float* const to = row_of(next_y ? y.next : y.own, next_z ? z.next : z.own);
        if (to != nullptr) add({of_y, next_y}, {of_z, next_z}, first, last, to);
      }
    }
  }

 private:
  /// Interpolated across the row.
  struct CoarseRows {
    const float* rows[4];
    const float *along_y, *along_z;
    /// With the shares of a coarse cell.
    float value(int of, int at) const {
      return TransferView::between(along_z[of],
                                   TransferView::between(along_y[of], rows[0][at], rows[1][at]),
                                   TransferView::between(along_y[of], rows[2][at], rows[3][at]));
    }
  };

  /// What coarse cells get of lines: the shares, or the rest.
  struct OfLines {
    const float* shares;
    bool next;
    float of(int I) const { return (next ? 0.0F : 1.0F) + (next ? 1.0F : -1.0F) * shares[I]; }
  };

  /// With one on either side, whose values stay 0.
  std::size_t places() const {
    return static_cast<std::size_t>(end_ - begin_ + 2);
  }
  const Children& children_of(int I) const {
    return cells_[static_cast<std::size_t>(I - begin_)];
  }
  bool is_pair(int I) const {
    return children_of(I).end - children_of(I).first == 2;
  }
  /// By index along x.
  const float* shares(int axis, const TransferView::Place& place, int J, int K) const {
    if (place.next == place.own) return zeros_.data() + 1 - begin_;
    return &(place.next < place.own ? t_.below : t_.above)[axis](0, J, K);
  }
  float* temporary(int n) {
    return temporaries_.data() + static_cast<std::ptrdiff_t>(places()) * n + 1 - begin_;
  }

  /// What the coarse cells from `first` to before `last` get of their own fine ones, and of those
  /// of the cells below and above; of a cell beside them only the fine one next to them is read.
  void split(const float* residual, int J, int K, int first, int last) {
    float *const own = temporary(0), *const to_below = temporary(1), *const to_above = temporary(2);
    if (!t_.joins[0]) {
      std::copy(residual + begin_, residual + end_, own + begin_);
      return;
    }
    const float* const below = &t_.below[0](0, J, K);
    const float* const above = &t_.above[0](0, J, K);
    if (begin_ < first) to_above[begin_] = above[begin_] * residual[children_of(begin_).end - 1];
    if (last < end_) to_below[last] = below[last] * residual[children_of(last).first];
    const auto irregular = [&](int from, int end) {
      for (int I = from; I < end; ++I) {
        const auto cells = children_of(I);
        const float low = residual[cells.first], high = residual[cells.end - 1];
        own[I] = (1 - below[I]) * low;
        for (int i = cells.first + 1; i + 1 < cells.end; ++i) own[I] = own[I] + residual[i];
        if (cells.end - cells.first > 1) own[I] = own[I] + (1 - above[I]) * high;
        to_below[I] = below[I] * low;
        to_above[I] = above[I] * high;
      }
    };
    const int pairs = std::clamp(pairs_begin_, first, last),
              pairs_end = std::clamp(pairs_end_, first, last);
    irregular(first, pairs);
    const float* const from = residual + offset_;
#pragma GCC ivdep
    for (int I = pairs; I < pairs_end; ++I) {
      const float low = from[2 * I], high = from[2 * I + 1];
      own[I] = (1 - below[I]) * low + (1 - above[I]) * high;
      to_below[I] = below[I] * low;
      to_above[I] = above[I] * high;
    }
    irregular(pairs_end, last);
  }
  void add(const OfLines& y, const OfLines& z, int first, int last, float* to) {
    const float *const own = temporary(0), *const to_below = temporary(1),
                       *const to_above = temporary(2);
    float* const part = temporary(3);
#pragma GCC ivdep
    for (int I = begin_; I < end_; ++I) part[I] = y.of(I) * z.of(I);
    if (!t_.joins[0]) {
#pragma GCC ivdep
      for (int I = first; I < last; ++I) to[I] = to[I] + part[I] * own[I];
      return;
    }
#pragma GCC ivdep
    for (int I = first; I < last; ++I) {
      to[I] = ((to[I] + part[I] * own[I]) + part[I + 1] * to_below[I + 1]) +
              part[I - 1] * to_above[I - 1];
    }
  }

  TransferView t_;
  int begin_, end_;
  int pairs_begin_ = 0, pairs_end_ = 0;  ///< cells of two, side by side
  int offset_ = 0;                       ///< of the first of two to twice the coarse index
  std::vector<Children> cells_;
  std::vector<float> zeros_, temporaries_;
};

/// Corrects rows of fine cells.
class RowCorrection {
 public:
  /// From `begin` to before `end` along x.
  RowCorrection(const TransferView& transfer, int begin, int end)
      : begin_(begin),
        end_(end),
        rows_(transfer, transfer.c.parent_beyond(0, begin),
              transfer.c.parent_beyond(0, end - 1) + 1),
        corrections_(static_cast<std::size_t>(end - begin) + 2 * most_beside) {}

  /// to = x + the correction; rows by index along x.
  void add(const comm::GridView<const float>& coarse, int j, int k, const float* x, float* to) {
    float* const correction = corrections_.data() + most_beside - begin_;
    rows_.correct(coarse, j, k, correction);
#pragma GCC ivdep
    for (int i = begin_; i < end_; ++i) to[i] = x[i] + correction[i];
  }

 private:
  static constexpr int most_beside = 2;  ///< of three joined cells at an end

  int begin_, end_;
  RowTransfer rows_;
  ThreadFloats corrections_;
};

/// Sums of a part of the coarse cells, from the rows of fine ones in ascending order.
class RowRestriction {
 public:
  RowRestriction(const TransferView& transfer, const comm::Box& coarse_part,
                 const comm::GridView<float>& coarse)
      : joined_(joined_cells(transfer, coarse_part)),
        part_(coarse_part),
        coarse_(coarse),
        rows_(rows_of(transfer, coarse_part)) {}

  /// Fine cells of which the part gets something.
  const comm::Box& joined() const { return joined_; }
  /// Sums of 0.
  void clear() const {
    for (int K = part_.lower[2]; K < part_.upper[2]; ++K) {
      for (int J = part_.lower[1]; J < part_.upper[1]; ++J)
        std::fill_n(&coarse_(part_.lower[0], J, K), part_.extent(0), 0.0F);
    }
  }
  /// `row`: by index along x.
  void add(const float* row, int j, int k) {
    const auto sums_of = [this](int J, int K) {
      return part_.contains(part_.lower[0], J, K) ? &coarse_(0, J, K) : nullptr;
    };
    rows_.restrict_row(row, j, k, part_.lower[0], part_.upper[0], sums_of);
  }

 private:
  static comm::Box joined_cells(const TransferView& transfer, const comm::Box& part) {
    comm::Box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = transfer.lines(axis, part.lower[axis]).first;
      box.upper[axis] = transfer.lines(axis, part.upper[axis] - 1).end;
    }
    return box;
  }
  static RowTransfer rows_of(const TransferView& transfer, const comm::Box& part) {
    const int first = part.lower[0], end = part.upper[0];
    const bool joins = transfer.joins[0];
    return {transfer, joins && transfer.has(0, first - 1) ? first - 1 : first,
            joins && transfer.has(0, end) ? end + 1 : end};
  }

  comm::Box joined_, part_;
  comm::GridView<float> coarse_;
  RowTransfer rows_;
};

/// Strips of cells whose rows are transferred one by one.
inline Strips strips_of_rows(const comm::Space& space, const comm::Box& box) {
  return {box, 2 * box.extent(0) * std::int64_t{sizeof(float)}, 0, space.concurrency()};
}

}  // namespace halotherm::solver
