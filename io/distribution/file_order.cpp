// SPDX-License-Identifier: MIT
#include "io/distribution/file_order.hpp"

namespace halotherm::io {

std::int64_t FileOrder::cells_before(const comm::Box& box, std::int64_t place) const {
  if (box.empty()) return 0;
  const std::int64_t width = box.extent(0), height = box.extent(1), depth = box.extent(2);
  const std::int64_t k = place / plane() - box.lower[2];
  if (k < 0) return 0;
  if (k >= depth) return box.size();
  const std::int64_t j = place % plane() / row() - box.lower[1];
  if (j < 0) return k * width * height;
  if (j >= height) return (k + 1) * width * height;
  return (k * height + j) * width +
         std::clamp<std::int64_t>(place % row() - box.lower[0], 0, width);
}

std::int64_t FileOrder::cells_within(const comm::Box& box, const ValueRange& range) const {
  return range.empty() ? 0 : cells_before(box, range.end) - cells_before(box, range.first);
}

ValueRange FileOrder::span(const comm::Box& box) const {
  if (box.empty()) return {};
  return {place(box.lower[0], box.lower[1], box.lower[2]),
          place(box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1) + 1};
}

}  // namespace halotherm::io
