// SPDX-License-Identifier: MIT
#include "comm/partition/contiguous_parts.hpp"

namespace halotherm::comm {

ContiguousParts::ContiguousParts(const Box& box, std::int64_t most) : box_(box) {
  if (box.empty()) return;
  first_ = first_part(box, most);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t cells = first_.extent(axis);
    counts_[axis] = (box.extent(axis) + cells - 1) / cells;
  }
}

Box ContiguousParts::operator[](std::int64_t part) const {
  const Kokkos::Array<std::int64_t, 3> place{part % counts_[0], part / counts_[0] % counts_[1],
                                             part / (counts_[0] * counts_[1])};
  Int3 distance{};
  for (int axis = 0; axis < 3; ++axis)
    distance[axis] = static_cast<int>(place[axis] * first_.extent(axis));
  return intersection(shifted(first_, distance), box_);
}

}  // namespace halotherm::comm
