// SPDX-License-Identifier: MIT
#include "comm/for_each_cell.hpp"

namespace halotherm::comm {

Region::Region(std::span<const Box> boxes) {
  std::vector<Box> thin;
  for (const auto& box : boxes) {
    if (box.empty()) continue;
    (is_thin(box) ? thin : large_).push_back(box);
    cells_ += box.size();
  }
  thin_ = BoxList(thin);
}

}  // namespace halotherm::comm
