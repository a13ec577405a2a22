// SPDX-License-Identifier: MIT
// The planes that steps of a wavefront exchange.
#pragma once

#include "comm/partition/box.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace halotherm::solver {

/// Rings of planes, or in two dimensions of rows, by global indices: a plane takes the memory of
/// the one that many before it. Rows have room for a pack beyond both ends, so that neighbours that
/// no cell needs may be loaded.
template <class Real>
class PlaneRings {
 public:
  static constexpr int fewest_planes = 4;

  /// `largest`: of the boxes that are placed in them. `planes`: of each ring, a power of two.
  PlaneRings(const comm::Box& largest, int dimensions, int rings, int planes = fewest_planes)
      : dimensions_(dimensions),
        planes_(planes),
        row_(row_of(largest.extent(0))),
        plane_(plane_of(largest, dimensions)),
        lines_(static_cast<std::size_t>(planes * rings * plane_ / margin)) {}

  /// Bytes that a ring of such a box takes.
  static std::int64_t bytes_of(const comm::Box& box, int dimensions, int planes = fewest_planes) {
    return planes * plane_of(box, dimensions) * static_cast<std::int64_t>(sizeof(Real));
  }

  /// Makes room for the cells of a box.
  void place(const comm::Box& box) {
    origin_ = 2 * margin - box.lower[0];
    if (dimensions_ > 2) origin_ += (1 - box.lower[1]) * row_;
  }

  /// Cell 0 of a row, which may lie before the row's first one.
  Real* row(int ring, int j, int k) {
    const int at = dimensions_ > 2 ? k : j;
    const std::int64_t line = dimensions_ > 2 ? j * row_ : 0;
    return lines_.front().values +
           ((std::int64_t{ring} * planes_ + (at & (planes_ - 1))) * plane_ + line + origin_);
  }
  std::int64_t row_stride() const { return row_; }

 private:
  static constexpr int margin = 64 / static_cast<int>(sizeof(Real));  ///< one line of a cache

  static std::int64_t row_of(int cells) {
    return (std::int64_t{cells} + 3 * margin - 1) / margin * margin + margin;
  }
  static std::int64_t plane_of(const comm::Box& box, int dimensions) {
    return row_of(box.extent(0)) * (dimensions > 2 ? box.extent(1) + 2 : 1);
  }

  struct alignas(64) Line {
    Real values[margin];
  };

  int dimensions_, planes_;
  std::int64_t row_, plane_;
  std::int64_t origin_ = 0;
  std::vector<Line> lines_;
};

}  // namespace halotherm::solver
