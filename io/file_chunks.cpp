// SPDX-License-Identifier: MIT
#include "io/file_chunks.hpp"

#include <algorithm>

namespace halotherm::io {

namespace {

/// Cuts the values from `first` to `end` at the boundaries of planes, then of rows, and appends the boxes between.
class RangeCutter {
 public:
  explicit RangeCutter(const comm::Int3& extent) : extent_(extent), size_{1, extent[0], std::int64_t{extent[0]} * extent[1]} {}

  /// `axis`: the slowest one along which the range may reach; it starts and ends within one cell of the axes above, `at`.
  void cut(int axis, comm::Int3 at, std::int64_t first, std::int64_t end) {
    if (first >= end) return;
    const std::int64_t size = size_[axis];
    const std::int64_t whole_first = (first + size - 1) / size;
    const std::int64_t whole_end = end / size;
    if (whole_first > whole_end) return within(axis, at, first / size, first, end);  // within one cell of this axis
    within(axis, at, first / size, first, std::min(end, whole_first * size));
    if (whole_first < whole_end) add(axis, at, static_cast<int>(whole_first), static_cast<int>(whole_end));
    within(axis, at, whole_end, whole_end * size, end);
  }

  std::vector<comm::Box> boxes;

 private:
  void within(int axis, comm::Int3 at, std::int64_t place, std::int64_t first, std::int64_t end) {
    if (axis == 0 || first >= end) return;
    at[axis] = static_cast<int>(place);
    cut(axis - 1, at, first - place * size_[axis], end - place * size_[axis]);
  }

  void add(int axis, const comm::Int3& at, int lower, int upper) {
    comm::Box box;
    for (int other = 0; other < 3; ++other) {
      box.lower[other] = other < axis ? 0 : at[other];
      box.upper[other] = other < axis ? extent_[other] : at[other] + 1;
    }
    box.lower[axis] = lower;
    box.upper[axis] = upper;
    boxes.push_back(box);
  }

  comm::Int3 extent_;
  std::int64_t size_[3];  ///< values in a cell of the axis: 1, a row, a plane
};

}  // namespace

std::vector<comm::Box> FileChunks::boxes(std::int64_t chunk) const {
  RangeCutter cutter(extent);
  cutter.cut(2, {0, 0, 0}, first(chunk), end(chunk));
  return cutter.boxes;
}

FileChunks chunks_of(const comm::Int3& extent) {
  constexpr std::int64_t most = 1 << 16;
  FileChunks chunks{extent, 1 << 17};
  while (chunks.count() > most) chunks.length *= 2;
  return chunks;
}

}  // namespace halotherm::io
