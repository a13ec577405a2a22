// SPDX-License-Identifier: MIT
#include "io/file_order.hpp"

namespace halotherm::io {

namespace {

/// Cuts a range at the boundaries of planes, then of rows, and appends the boxes between.
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

std::int64_t FileOrder::cells_before(const comm::Box& box, std::int64_t place) const {
  if (box.empty()) return 0;
  const std::int64_t width = box.extent(0), height = box.extent(1), depth = box.extent(2);
  const std::int64_t k = place / plane() - box.lower[2];
  if (k < 0) return 0;
  if (k >= depth) return box.size();
  const std::int64_t j = place % plane() / row() - box.lower[1];
  if (j < 0) return k * width * height;
  if (j >= height) return (k + 1) * width * height;
  return (k * height + j) * width + std::clamp<std::int64_t>(place % row() - box.lower[0], 0, width);
}

std::int64_t FileOrder::cells_within(const comm::Box& box, const ValueRange& range) const {
  return range.empty() ? 0 : cells_before(box, range.end) - cells_before(box, range.first);
}

ValueRange FileOrder::span(const comm::Box& box) const {
  if (box.empty()) return {};
  return {place(box.lower[0], box.lower[1], box.lower[2]), place(box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1) + 1};
}

std::vector<comm::Box> FileOrder::boxes(const ValueRange& range) const {
  RangeCutter cutter(extent_);
  cutter.cut(2, {0, 0, 0}, range.first, range.end);
  return cutter.boxes;
}

}  // namespace halotherm::io
