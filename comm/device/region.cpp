// SPDX-License-Identifier: MIT
#include "comm/device/region.hpp"

#include <algorithm>
#include <iterator>

namespace halotherm::comm {

std::vector<Box> countable_parts(const Box& box, std::int64_t most) {
  const auto slots = BoxList::slots_of(box);
  if (slots <= most) return {box};
  const auto plane = slots / box.extent(2);
  const auto row = plane / box.extent(1);
  const int planes = static_cast<int>(std::clamp<std::int64_t>(most / plane, 1, box.extent(2)));
  const int rows = static_cast<int>(std::clamp<std::int64_t>(most / row, 1, box.extent(1)));
  std::vector<Box> parts;
  for (std::int64_t k = box.lower[2]; k < box.upper[2]; k += planes) {
    for (std::int64_t j = box.lower[1]; j < box.upper[1]; j += rows) {
      Box part = box;
      part.lower[1] = static_cast<int>(j);
      part.upper[1] = static_cast<int>(std::min<std::int64_t>(j + rows, box.upper[1]));
      part.lower[2] = static_cast<int>(k);
      part.upper[2] = static_cast<int>(std::min<std::int64_t>(k + planes, box.upper[2]));
      parts.push_back(part);
    }
  }
  return parts;
}

Region::Region(std::span<const Box> boxes) {
  std::vector<Box> thin;
  for (const auto& box : boxes) {
    if (box.empty()) continue;
    cells_ += box.size();
    if (is_thin(box)) {
      std::ranges::copy(countable_parts(box), std::back_inserter(thin));
    } else {
      large_.push_back(box);
    }
  }
  thin_ = BoxList(thin);
}

}  // namespace halotherm::comm
