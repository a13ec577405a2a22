// SPDX-License-Identifier: MIT
#include "comm/partition/box.hpp"

#include "comm/partition/contiguous_parts.hpp"

#include <algorithm>

namespace halotherm::comm {

Box shifted(Box box, const Int3& distance) {
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] += distance[axis];
    box.upper[axis] += distance[axis];
  }
  return box;
}

Box grown(Box box, const Int3& below, const Int3& above) {
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] -= below[axis];
    box.upper[axis] += above[axis];
  }
  return box;
}

Box intersection(const Box& a, const Box& b) {
  Box common;
  for (int axis = 0; axis < 3; ++axis) {
    common.lower[axis] = std::max(a.lower[axis], b.lower[axis]);
    common.upper[axis] = std::max(common.lower[axis], std::min(a.upper[axis], b.upper[axis]));
  }
  return common;
}

std::vector<Box> difference(const Box& whole, const Box& core) {
  if (whole.empty()) return {};
  if (core.empty()) return {whole};
  std::vector<Box> parts;
  Box rest = whole;
  for (int axis = 2; axis >= 0; --axis) {
    Box below = rest;
    below.upper[axis] = core.lower[axis];
    if (!below.empty()) parts.push_back(below);
    Box above = rest;
    above.lower[axis] = core.upper[axis];
    if (!above.empty()) parts.push_back(above);
    rest.lower[axis] = core.lower[axis];
    rest.upper[axis] = core.upper[axis];
  }
  return parts;
}

Box first_part(const Box& box, std::int64_t most) {
  Box part{box.lower, box.lower};
  std::int64_t room = most;
  for (int axis = 0; axis < 3; ++axis) {
    const auto cells = std::clamp<std::int64_t>(room, 1, box.extent(axis));
    part.upper[axis] += static_cast<int>(cells);
    room = cells == box.extent(axis) ? room / cells : 0;
  }
  return part;
}

std::vector<Box> contiguous_parts(const Box& box, std::int64_t most) {
  const ContiguousParts parts(box, most);
  std::vector<Box> list;
  for (std::int64_t part = 0; part < parts.count(); ++part) list.push_back(parts[part]);
  return list;
}

std::string product_text(const Int3& numbers) {
  return std::to_string(numbers[0]) + " x " + std::to_string(numbers[1]) + " x " +
         std::to_string(numbers[2]);
}

std::string to_string(const Box& box) {
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    if (axis > 0) text += " x ";
    text += "[" + std::to_string(box.lower[axis]) + ", " + std::to_string(box.upper[axis]) + ")";
  }
  return text;
}

}  // namespace halotherm::comm
