// SPDX-License-Identifier: MIT
// The ascent on CPUs: a wavefront through the planes of a strip of rows. Each stage of the
// interpolation and of the sweeps follows the one before by a plane, so what they exchange stays in
// the second-level cache.
#pragma once

#include "solver/linear/ascent.hpp"
#include "solver/linear/sweep_value.hpp"

#include <cstddef>
#include <vector>

namespace halotherm::solver {

/// Rows of floats in a thread's memory, all 0 at first, by global indices.
class StripRows {
 public:
  /// `planes` planes, each of the rows and columns of a box and of one more on both sides.
  StripRows(const comm::Box& box, int planes)
      : first_(box.lower[0] - 1),
        first_row_(box.lower[1] - 1),
        row_(rounded(box.extent(0) + 2)),
        plane_(row_ * (box.extent(1) + 2)),
        values_(static_cast<std::size_t>(plane_ * planes)) {}

  /// The cell 0 of a row, which may lie before the row's first one.
  float* row(int plane, int j) {
    return values_.data() + (plane_ * plane + row_ * (j - first_row_) - first_);
  }

 private:
  static std::ptrdiff_t rounded(int cells) {
    constexpr std::ptrdiff_t line = 16;
    return (cells + line - 1) / line * line;
  }

  int first_, first_row_;
  std::ptrdiff_t row_, plane_;
  std::vector<float> values_;
};

/// One thread's ascent to a part of a block.
template <class Store>
class AscentWave {
 public:
  AscentWave(const Ascent& ascent, const comm::Box& part, const Store& store)
      : ascent_(ascent),
        part_(part),
        store_(store),
        whole_(ascent.grown(part, sweeps)),
        lines_{{whole_.lower[0], along(1, whole_.lower[1]).lower, 0},
               {whole_.upper[0], along(1, whole_.upper[1] - 1).upper + 1, 1}},
        rows_(whole_, planes),
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
    return std::int64_t{cells} * planes * static_cast<std::int64_t>(sizeof(float));
  }

 private:
  static constexpr int sweeps = Ascent::sweeps;
  /// Planes of `rows_`: three of each stage that sweeps compute from, one of zeros beyond sides,
  /// two of the correction in coarse planes, and the inverse diagonal.
  static constexpr int zeros = 3 * sweeps, coarse = zeros + 1, inverses = coarse + 2,
                       planes = inverses + 1;

  const AxisWeights& along(int axis, int index) const {
    return ascent_.interpolation.along[axis][index];
  }
  float* west() { return along_x_.row(0, whole_.lower[1]); }
  float* east() { return along_x_.row(1, whole_.lower[1]); }
  float* inverse_area() { return along_x_.row(2, whole_.lower[1]); }
  float* results() { return along_x_.row(3, whole_.lower[1]); }  ///< of the last sweep, in a row
  /// The plane k of a stage in `rows_`.
  int plane_of(int stage, int k) const {
    if (k < whole_.lower[2] || k >= whole_.upper[2]) return zeros;
    return 3 * stage + (k - whole_.lower[2]) % 3;
  }

  void interpolate(int n) {
    const auto z = along(2, n);
    while (z.upper > coarse_plane_) take_coarse_plane(++coarse_plane_);
    const int begin = whole_.lower[0], end = whole_.upper[0];
    for (int j = whole_.lower[1]; j < whole_.upper[1]; ++j) {
      const float* const lower = rows_.row(coarse + (z.lower & 1), j);
      const float* const upper = rows_.row(coarse + (z.upper & 1), j);
      float* const to = rows_.row(plane_of(0, n), j);
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
    const auto region = ascent_.grown(part_, sweeps - 1 - s);
    if (k < region.lower[2] || k >= region.upper[2]) return;
    const auto z = ascent_.A.rates(2, k);
    set_inverses(z.lower + z.upper);
    const int here = plane_of(s, k), below = plane_of(s, k - 1), above = plane_of(s, k + 1);
    for (int j = region.lower[1]; j < region.upper[1]; ++j) {
      const Row row{rows_.row(here, j),  rows_.row(here, j - 1), rows_.row(here, j + 1),
                    rows_.row(below, j), rows_.row(above, j),    rows_.row(inverses, j),
                    &ascent_.b(0, j, k)};
      const bool last = s + 1 == sweeps;
      float* const to = last ? results() : rows_.row(plane_of(s + 1, k), j);
      sweep_row(s, region, row, j, z, to);
      if (!last) continue;
      for (int i = region.lower[0]; i < region.upper[0]; ++i) store_(i, j, k, to[i]);
    }
  }
  struct Row {
    const float *here, *south, *north, *below, *above, *inverse, *b;
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
      const SweepStar star{row.here[i],  row.here[i - 1], row.here[i + 1], row.south[i],
                           row.north[i], row.below[i],    row.above[i]};
      to[i] = swept<3>(weight, row.inverse[i], row.b[i] * area, star,
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
  StripRows rows_;
  StripRows coarse_rows_;  ///< interpolated along x
  StripRows along_x_;
  float inverses_of_ = -1;  ///< of no plane
  int coarse_plane_ = 0;
};

}  // namespace halotherm::solver
