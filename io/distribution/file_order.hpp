// SPDX-License-Identifier: MIT
// The order of a data set's cells in its file: x fastest, values without gaps.
#pragma once

#include "comm/partition/box.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace halotherm::io {

/// The values from place `first` to before place `end`, counted from 0.
struct ValueRange {
  std::int64_t first = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return std::max<std::int64_t>(end - first, 0); }
  bool empty() const { return end <= first; }
  bool operator==(const ValueRange&) const = default;
};

/// The order of a data set of `extent` cells. All boxes and ranges lie within it.
class FileOrder {
 public:
  explicit FileOrder(const comm::Int3& extent) : extent_(extent) {}

  const comm::Int3& extent() const { return extent_; }
  std::int64_t values() const { return plane() * extent_[2]; }
  std::int64_t place(int i, int j, int k) const { return i + row() * j + plane() * k; }
  comm::Int3 cell(std::int64_t place) const;

  /// From the place of the box's first cell to that after its last one.
  ValueRange span(const comm::Box& box) const;
  /// The range as at most five disjoint boxes, which follow one another in the order of the file:
  /// whole planes, whole rows before and after them, and parts of rows before and after those.
  std::vector<comm::Box> boxes(const ValueRange& range) const;

 private:
  std::int64_t row() const { return extent_[0]; }
  std::int64_t plane() const { return row() * extent_[1]; }

  comm::Int3 extent_;
};

}  // namespace halotherm::io
