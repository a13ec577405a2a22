// SPDX-License-Identifier: MIT
// The ascent on CPUs: a wavefront in which each stage of the interpolation and of the sweeps
// follows the one before by a plane.
#pragma once

#include "solver/linear/strips.hpp"
#include "solver/multigrid/ascent.hpp"

namespace halotherm::solver {

/// One thread's ascent to a part of a block.
template <class Store>
class AscentWave {
 public:
  AscentWave(const Ascent& ascent, const comm::Box& part, const Store& store)
      : ascent_(ascent),
        part_(part),
        store_(store),
        whole_(ascent.grid.grown(part, sweeps)),
        lines_{{whole_.lower[0], along(1, whole_.lower[1]).lower, 0},
               {whole_.upper[0], along(1, whole_.upper[1] - 1).upper + 1, 1}},
        stages_(whole_, sweeps),
        rows_(whole_, kept),
        coarse_rows_(lines_, 1),
        along_x_({whole_.lower, {whole_.upper[0], whole_.lower[1] + 1, 1}}, 4) {
    for (int i = whole_.lower[0]; i < whole_.upper[0]; ++i) {
      const auto rates = ascent_.A.rates(0, i);
      west()[i] = rates.lower;
      east()[i] = rates.upper;
      inverse_area()[i] = rates.inverse_area;
    }
  }

  void run() {
    coarse_plane_ = along(2, whole_.lower[2]).lower - 1;
    for (int n = whole_.lower[2]; n < part_.upper[2] + sweeps; ++n) {
      if (n < whole_.upper[2]) interpolate(n);
      for (int s = 0; s < sweeps; ++s) sweep(s, n - 1 - s);
    }
  }

  /// Bytes that a row of that many cells takes.
  static std::int64_t bytes_a_row(int cells) {
    return std::int64_t{cells} * (StagePlanes::planes(sweeps) + kept) *
           static_cast<std::int64_t>(sizeof(float));
  }

 private:
  static constexpr int sweeps = Ascent::sweeps;
  /// Planes of `rows_`: two of the correction in coarse planes, and the inverse diagonal.
  static constexpr int coarse = 0, inverses = 2, kept = 3;

  const AxisWeights& along(int axis, int index) const {
    return ascent_.interpolation.along[axis][index];
  }
  float* west() { return along_x_.row(0, whole_.lower[1]); }
  float* east() { return along_x_.row(1, whole_.lower[1]); }
  float* inverse_area() { return along_x_.row(2, whole_.lower[1]); }
  float* results() { return along_x_.row(3, whole_.lower[1]); }  ///< of the last sweep, in a row
  void interpolate(int n) {
    const auto z = along(2, n);
    while (z.upper > coarse_plane_) take_coarse_plane(++coarse_plane_);
    const int begin = whole_.lower[0], end = whole_.upper[0];
    for (int j = whole_.lower[1]; j < whole_.upper[1]; ++j) {
      const float* const lower = rows_.row(coarse + (z.lower & 1), j);
      const float* const upper = rows_.row(coarse + (z.upper & 1), j);
      float* const to = stages_.row(0, j, n);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = InterpolationView::between(z, lower[i], upper[i]);
    }
  }
  /// Interpolates in a plane of coarse cells.
  void take_coarse_plane(int K) {
    const int begin = whole_.lower[0], end = whole_.upper[0];
    for (int J = lines_.lower[1]; J < lines_.upper[1]; ++J) {
      const float* const from = &ascent_.coarse(0, J, K);
      float* const to = coarse_rows_.row(0, J);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) {
        const auto& x = along(0, i);
        to[i] = InterpolationView::between(x, from[x.lower], from[x.upper]);
      }
    }
    for (int j = whole_.lower[1]; j < whole_.upper[1]; ++j) {
      const auto y = along(1, j);
      const float* const lower = coarse_rows_.row(0, y.lower);
      const float* const upper = coarse_rows_.row(0, y.upper);
      float* const to = rows_.row(coarse + (K & 1), j);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i) to[i] = InterpolationView::between(y, lower[i], upper[i]);
    }
  }

  /// Ends a plane of the stage after `s`.
  void sweep(int s, int k) {
    const auto region = ascent_.grid.grown(part_, sweeps - 1 - s);
    if (k < region.lower[2] || k >= region.upper[2]) return;
    const auto z = ascent_.A.rates(2, k);
    set_inverses(z.lower + z.upper);
    for (int j = region.lower[1]; j < region.upper[1]; ++j) {
      const Row row{stages_.around(s, j, k), rows_.row(inverses, j), &ascent_.b(0, j, k)};
      const bool last = s + 1 == sweeps;
      float* const to = last ? results() : stages_.row(s + 1, j, k);
      sweep_row(s, region, row, j, z, to);
      if (!last) continue;
      for (int i = region.lower[0]; i < region.upper[0]; ++i) store_(i, j, k, to[i]);
    }
  }
  struct Row {
    StarRows x;
    const float *inverse, *b;
  };
  void sweep_row(int s, const comm::Box& region, const Row& row, int j, const AxisRates& z,
                 float* to) {
    const auto y = ascent_.A.rates(1, j);
    const float weight = ascent_.weights[s];
    const float *const west_rates = west(), *const east_rates = east(),
                       *const inverse_areas = inverse_area();
    const int begin = region.lower[0], end = region.upper[0];
#pragma GCC ivdep
    for (int i = begin; i < end; ++i) {
      const float area = (inverse_areas[i] * z.inverse_area) * y.inverse_area;
      to[i] = swept<3>(weight, row.inverse[i], row.b[i] * area, row.x.at(i),
                       {west_rates[i], east_rates[i], y.lower, y.upper, z.lower, z.upper});
    }
  }

  /// Of planes whose faces along z conduct that much together.
  void set_inverses(float rates_z) {
    if (rates_z == inverses_of_) return;
    inverses_of_ = rates_z;
    const float *const lower = west(), *const upper = east();
    const int begin = whole_.lower[0], end = whole_.upper[0];
    const float mass = ascent_.A.mass;
    for (int j = whole_.lower[1]; j < whole_.upper[1]; ++j) {
      const auto y = ascent_.A.rates(1, j);
      float* const to = rows_.row(inverses, j);
#pragma GCC ivdep
      for (int i = begin; i < end; ++i)
        to[i] = inverse_of((lower[i] + upper[i]) + (y.lower + y.upper), rates_z, mass);
    }
  }

  const Ascent& ascent_;
  const comm::Box part_;
  const Store store_;
  const comm::Box whole_;  ///< with the cells around that only serve the part
  const comm::Box lines_;  ///< of coarse cells along x: fine columns, coarse rows
  StagePlanes stages_;
  StripRows rows_;
  StripRows coarse_rows_;  ///< interpolated along x
  StripRows along_x_;
  float inverses_of_ = -1;  ///< of no plane
  int coarse_plane_ = 0;
};

}  // namespace halotherm::solver
