// SPDX-License-Identifier: MIT
// Cells and their places in a data set's file, where x is fastest and values follow each other
// without gaps.
#pragma once

#include "comm/partition/box.hpp"

#include <algorithm>
#include <cstdint>

namespace halotherm::io {

/// The values from place `first` to before place `end`, counted from 0.
struct ValueRange {
  std::int64_t first = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return std::max<std::int64_t>(end - first, 0); }
  bool empty() const { return end <= first; }
  bool operator==(const ValueRange&) const = default;
};

/// The place of a cell in the memory of a box that contains it, x fastest.
inline std::int64_t offset_in(const comm::Box& box, int i, int j, int k) {
  return (std::int64_t{k - box.lower[2]} * box.extent(1) + (j - box.lower[1])) * box.extent(0) +
         (i - box.lower[0]);
}

/// The order of a data set of `extent` cells. All boxes lie within it.
class FileOrder {
 public:
  explicit FileOrder(const comm::Int3& extent) : extent_(extent) {}

  const comm::Int3& extent() const { return extent_; }
  std::int64_t values() const { return plane() * extent_[2]; }
  std::int64_t place(int i, int j, int k) const { return i + row() * j + plane() * k; }

  /// The number of the box's cells whose place is before `place`: also the offset of that place's
  /// cell in the box's own memory.
  std::int64_t cells_before(const comm::Box& box, std::int64_t place) const;
  /// The number of the box's cells within the range.
  std::int64_t cells_within(const comm::Box& box, const ValueRange& range) const;
  /// From the place of the box's first cell to that after its last one.
  ValueRange span(const comm::Box& box) const;

  /// Calls visit(place, i, j, k, count) for all runs of cells along x that lie in both, in the
  /// order of the file: `count` cells from (i, j, k) on.
  template <class Visit>
  void for_each_run(const comm::Box& box, const ValueRange& range, const Visit& visit) const {
    if (box.empty() || range.empty()) return;
    const int lowest = static_cast<int>(range.first / plane()),
              highest = static_cast<int>((range.end - 1) / plane());
    for (int k = std::max(box.lower[2], lowest); k < box.upper[2] && k <= highest; ++k) {
      for (int j = box.lower[1]; j < box.upper[1]; ++j) {
        const auto origin = place(0, j, k);
        const auto begin = std::max(origin + box.lower[0], range.first),
                   end = std::min(origin + box.upper[0], range.end);
        if (begin < end) visit(begin, static_cast<int>(begin - origin), j, k, end - begin);
      }
    }
  }

 private:
  std::int64_t row() const { return extent_[0]; }
  std::int64_t plane() const { return row() * extent_[1]; }

  comm::Int3 extent_;
};

}  // namespace halotherm::io
