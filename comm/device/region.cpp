// SPDX-License-Identifier: MIT
#include "comm/device/region.hpp"

#include <algorithm>
#include <iterator>

namespace halotherm::comm {

std::vector<Box> countable_parts(const Box& box, std::int64_t most) {
  return contiguous_parts(box, kernels_run_on_host ? most * box.extent(0) : most);
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
