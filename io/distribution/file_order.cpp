// SPDX-License-Identifier: MIT
#include "io/distribution/file_order.hpp"

namespace halotherm::io {

comm::Int3 FileOrder::cell(std::int64_t place) const {
  return {static_cast<int>(place % row()), static_cast<int>(place / row() % extent_[1]),
          static_cast<int>(place / plane())};
}

ValueRange FileOrder::span(const comm::Box& box) const {
  if (box.empty()) return {};
  return {place(box.lower[0], box.lower[1], box.lower[2]),
          place(box.upper[0] - 1, box.upper[1] - 1, box.upper[2] - 1) + 1};
}

std::vector<comm::Box> FileOrder::boxes(const ValueRange& range) const {
  std::vector<comm::Box> found;
  for (auto place = range.first; place < range.end; place += found.back().size()) {
    const auto left = range.end - place;
    const auto first = cell(place);
    comm::Int3 size{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
      const auto step = axis == 0 ? 1 : axis == 1 ? row() : plane();
      size[axis] =
          static_cast<int>(std::min<std::int64_t>(left / step, extent_[axis] - first[axis]));
      if (size[axis] < extent_[axis]) break;
    }
    found.push_back(comm::shifted({{0, 0, 0}, size}, first));
  }
  return found;
}

}  // namespace halotherm::io
