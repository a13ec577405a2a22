// SPDX-License-Identifier: MIT
// Both ways of a symmetric cycle on CPUs, as wavefronts through a strip of rows.
#pragma once

#include "solver/linear/strips.hpp"
#include "solver/multigrid/symmetric_cycle.hpp"

#include <algorithm>
#include <vector>

namespace halotherm::solver {

/// Bytes that both keep of a row: planes that stages hand on, and three of all fields that are read
/// or written.
inline std::int64_t cycle_bytes_a_row(int cells) {
  constexpr int fields = 6;
  return std::int64_t{cells} * (StagePlanes::planes(SymmetricCycle::sweeps) + 3 * fields) *
         static_cast<std::int64_t>(sizeof(float));
}

/// One thread's descent to a part of the coarse cells of a block.
template <class Matrix>
class DescentWave {
 public:
  DescentWave(const SymmetricCycle& cycle, const Matrix& A, const comm::Box& coarse_part,
              const comm::GridView<float>& x, const comm::GridView<float>& coarse_b)
      : cycle_(cycle),
        A_(A),
        coarse_part_(coarse_part),
        x_(x),
        coarse_b_(coarse_b),
        joined_(joined_cells()),
        own_(own_cells()),
        second_(grid().grown(joined_, 1)),
        first_(grid().grown(second_, 1)),
        stages_(first_, SymmetricCycle::sweeps),
        residuals_(static_cast<std::size_t>(joined_.extent(0))) {}

  void run() {
    for (int n = first_.lower[2]; n < joined_.upper[2] + 2; ++n) {
      if (n < first_.upper[2]) sweep_first(n);
      if (n > second_.lower[2] && n <= second_.upper[2]) sweep_second(n - 1);
      if (n - 2 >= joined_.lower[2]) restrict_plane(n - 2);
    }
  }

 private:
  const LevelGrid& grid() const { return cycle_.coarsening.fine; }

  comm::Box joined_cells() const {
    auto box = coarse_part_;
    for (int axis = 0; axis < 3; ++axis) {
      box.lower[axis] = children(cycle_.coarsening, axis, box.lower[axis]).first;
      box.upper[axis] = children(cycle_.coarsening, axis, box.upper[axis] - 1).end;
    }
    return box;
  }
  /// Whose x it sets: those of the block that no other part does.
  comm::Box own_cells() const {
    auto box = joined_;
    for (int axis = 0; axis < 3; ++axis) {
      if (coarse_part_.lower[axis] == cycle_.coarse_owned.lower[axis])
        box.lower[axis] = cycle_.owned.lower[axis];
      if (coarse_part_.upper[axis] == cycle_.coarse_owned.upper[axis])
        box.upper[axis] = cycle_.owned.upper[axis];
    }
    return box;
  }

  void sweep_first(int k) {
    const Matrix A = A_;
    const float weight = cycle_.weights[0];
    const int begin = first_.lower[0], end = first_.upper[0];
    for (int j = first_.lower[1]; j < first_.upper[1]; ++j) {
      const float* const b = &cycle_.b(0, j, k);
      float* const to = stages_.row(0, j, k);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = A.template around<3>(i, j, k).swept(weight, b[i]);
    }
  }
  void sweep_second(int k) {
    const Matrix A = A_;
    const float weight = cycle_.weights[1];
    const int begin = second_.lower[0], end = second_.upper[0];
    for (int j = second_.lower[1]; j < second_.upper[1]; ++j) {
      const auto x = stages_.around(0, j, k);
      const float* const b = &cycle_.b(0, j, k);
      float* const to = stages_.row(1, j, k);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i)
        to[i] = A.template around<3>(i, j, k).swept(weight, b[i], x.at(i));
      if (own_.contains(own_.lower[0], j, k))
        std::copy(to + own_.lower[0], to + own_.upper[0], &x_(own_.lower[0], j, k));
    }
  }
  void restrict_plane(int k) {
    const Matrix A = A_;
    const auto& c = cycle_.coarsening;
    const int K = c.parent(2, k);
    const int begin = joined_.lower[0], end = joined_.upper[0];
    for (int j = joined_.lower[1]; j < joined_.upper[1]; ++j) {
      const auto x = stages_.around(1, j, k);
      const float* const b = &cycle_.b(0, j, k);
      float* const residual = residuals_.data() - joined_.lower[0];
#pragma GCC ivdep
      for (int i = begin; i < end; ++i)
        residual[i] = b[i] + A.template around<3>(i, j, k).flow(x.at(i));
      const int J = c.parent(1, j);
      const bool begins = k == children(c, 2, K).first && j == children(c, 1, J).first;
      add_row(residual, begins, &coarse_b_(0, J, K));
    }
  }
  /// Cell by cell in the order of `restrict_to`.
  void add_row(const float* residual, bool begins, float* sums) const {
    const auto& c = cycle_.coarsening;
    const int begin = coarse_part_.lower[0], end = coarse_part_.upper[0];
    if (begins) std::fill(sums + begin, sums + end, 0.0F);
    const int pairs = c.factors[0] == 2 ? std::min(end, grid().cells[0] / 2 - 1) : begin;
#pragma GCC ivdep
    for (int I = begin; I < pairs; ++I) sums[I] = (sums[I] + residual[2 * I]) + residual[2 * I + 1];
    for (int I = std::max(begin, pairs); I < end; ++I) {
      const auto along = children(c, 0, I);
      for (int i = along.first; i < along.end; ++i) sums[I] = sums[I] + residual[i];
    }
  }

  const SymmetricCycle& cycle_;
  const Matrix& A_;
  const comm::Box coarse_part_;
  const comm::GridView<float> x_, coarse_b_;
  const comm::Box joined_;  ///< cells of which it restricts the residual
  const comm::Box own_;
  const comm::Box second_, first_;  ///< cells of the sweeps
  StagePlanes stages_;
  ThreadFloats residuals_;  ///< of a row
};

/// One thread's ascent to a part of a block.
template <class Matrix>
class CorrectionWave {
 public:
  CorrectionWave(const SymmetricCycle& cycle, const Matrix& A, const comm::Box& part,
                 const comm::GridView<const float>& coarse, const comm::GridView<const float>& x,
                 const comm::GridView<float>& result)
      : cycle_(cycle),
        A_(A),
        part_(part),
        coarse_(coarse),
        x_(x),
        result_(result),
        whole_(grid().grown(part, SymmetricCycle::sweeps)),
        stages_(whole_, SymmetricCycle::sweeps),
        coarse_rows_({{whole_.lower[0], parent(1, whole_.lower[1]), 0},
                      {whole_.upper[0], parent(1, whole_.upper[1] - 1) + 1, 1}},
                     1) {
    for (int i = whole_.lower[0]; i < whole_.upper[0]; ++i) parents_.push_back(parent(0, i));
  }

  /// Calls `row_done(j, k)` after each row of the part.
  template <class RowDone>
  void run(const RowDone& row_done) {
    for (int n = whole_.lower[2]; n < part_.upper[2] + 2; ++n) {
      if (n < whole_.upper[2]) correct(n);
      sweep(0, n - 1, grid().grown(part_, 1), [](int) {});
      sweep(1, n - 2, part_, [&](int j) { row_done(j, n - 2); });
    }
  }

 private:
  const LevelGrid& grid() const { return cycle_.coarsening.fine; }
  int parent(int axis, int index) const { return cycle_.coarsening.parent_beyond(axis, index); }

  void correct(int k) {
    const int K = parent(2, k);
    if (k == whole_.lower[2] || K != parent(2, k - 1)) take_coarse_plane(K);
    const int begin = whole_.lower[0], end = whole_.upper[0];
    for (int j = whole_.lower[1]; j < whole_.upper[1]; ++j) {
      const float* const from = coarse_rows_.row(0, parent(1, j));
      const float* const x = &x_(0, j, k);
      float* const to = stages_.row(0, j, k);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = x[i] + from[i];
    }
  }
  /// Its values in fine columns.
  void take_coarse_plane(int K) {
    const int* const parents = parents_.data() - whole_.lower[0];
    const int begin = whole_.lower[0], end = whole_.upper[0];
    for (int J = parent(1, whole_.lower[1]); J <= parent(1, whole_.upper[1] - 1); ++J) {
      const float* const from = &coarse_(0, J, K);
      float* const to = coarse_rows_.row(0, J);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = from[parents[i]];
    }
  }

  /// From a stage to the next one, or to the result, if the plane is one of the region.
  template <class RowDone>
  void sweep(int stage, int k, const comm::Box& region, const RowDone& row_done) {
    if (k < region.lower[2] || k >= region.upper[2]) return;
    const Matrix A = A_;
    const bool last = stage + 1 == SymmetricCycle::sweeps;
    const float weight = cycle_.weights[last ? 0 : 1];
    const int begin = region.lower[0], end = region.upper[0];
    for (int j = region.lower[1]; j < region.upper[1]; ++j) {
      const auto x = stages_.around(stage, j, k);
      const float* const b = &cycle_.b(0, j, k);
      float* const to = last ? &result_(0, j, k) : stages_.row(stage + 1, j, k);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i)
        to[i] = A.template around<3>(i, j, k).swept(weight, b[i], x.at(i));
      row_done(j);
    }
  }

  const SymmetricCycle& cycle_;
  const Matrix& A_;
  const comm::Box part_;
  const comm::GridView<const float> coarse_, x_;
  const comm::GridView<float> result_;
  const comm::Box whole_;
  StagePlanes stages_;
  StripRows coarse_rows_;     ///< of a plane of coarse cells: fine columns, coarse rows
  std::vector<int> parents_;  ///< of the columns
};

}  // namespace halotherm::solver
