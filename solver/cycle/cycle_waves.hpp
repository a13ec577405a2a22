// SPDX-License-Identifier: MIT
// Both ways of a symmetric cycle on CPUs, as wavefronts through a strip of rows.
#pragma once

#include "solver/cycle/row_transfer.hpp"
#include "solver/cycle/symmetric_cycle.hpp"

#include <algorithm>

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
        restriction_(cycle.transfer, coarse_part, coarse_b),
        own_(own_cells()),
        joined_(restriction_.joined()),
        second_(grid().grown(joined_, 1)),
        first_(grid().grown(second_, 1)),
        stages_(first_, SymmetricCycle::sweeps),
        residuals_(static_cast<std::size_t>(joined_.extent(0))) {}

  void run() {
    restriction_.clear();
    for (int n = first_.lower[2]; n < joined_.upper[2] + 2; ++n) {
      if (n < first_.upper[2]) sweep_first(n);
      if (n > second_.lower[2] && n <= second_.upper[2]) sweep_second(n - 1);
      if (n - 2 >= joined_.lower[2]) restrict_plane(n - 2);
    }
  }

 private:
  const LevelGrid& grid() const { return cycle_.grid(); }

  /// Whose x it sets: those of the block that no other part does.
  comm::Box own_cells() const {
    comm::Box box;
    for (int axis = 0; axis < 3; ++axis) {
      const auto& c = cycle_.transfer.c;
      const bool first = coarse_part_.lower[axis] == cycle_.coarse_owned.lower[axis],
                 last = coarse_part_.upper[axis] == cycle_.coarse_owned.upper[axis];
      box.lower[axis] =
          first ? cycle_.owned.lower[axis] : children(c, axis, coarse_part_.lower[axis]).first;
      box.upper[axis] =
          last ? cycle_.owned.upper[axis] : children(c, axis, coarse_part_.upper[axis] - 1).end;
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
    const int begin = joined_.lower[0], end = joined_.upper[0];
    for (int j = joined_.lower[1]; j < joined_.upper[1]; ++j) {
      const auto x = stages_.around(1, j, k);
      const float* const b = &cycle_.b(0, j, k);
      float* const residual = residuals_.data() - begin;
#pragma GCC ivdep
      for (int i = begin; i < end; ++i)
        residual[i] = b[i] + A.template around<3>(i, j, k).flow(x.at(i));
      restriction_.add(residual, j, k);
    }
  }

  const SymmetricCycle& cycle_;
  const Matrix& A_;
  const comm::Box coarse_part_;
  const comm::GridView<float> x_;
  RowRestriction restriction_;
  const comm::Box own_;
  const comm::Box joined_;          ///< cells of which it restricts the residual
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
        correction_(cycle.transfer, whole_.lower[0], whole_.upper[0]) {}

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
  const LevelGrid& grid() const { return cycle_.grid(); }

  void correct(int k) {
    for (int j = whole_.lower[1]; j < whole_.upper[1]; ++j)
      correction_.add(coarse_, j, k, &x_(0, j, k), stages_.row(0, j, k));
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
  RowCorrection correction_;
};

}  // namespace halotherm::solver
