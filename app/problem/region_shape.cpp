// SPDX-License-Identifier: MIT
#include "app/problem/region_shape.hpp"

#include <cmath>

namespace halotherm::app {

namespace {

std::size_t index_of(Axis axis) {
  return static_cast<std::size_t>(axis);
}

}  // namespace

RegionShape::RegionShape(const RegionConfig& region)
    : limited_(region.box || region.cylinder || region.sphere || region.layer) {
  if (region.box) {
    for (std::size_t axis = 0; axis < region.box->lower.size(); ++axis) {
      along_[axis].lower = region.box->lower[axis];
      along_[axis].upper = region.box->upper[axis];
    }
  }
  if (const auto& layer = region.layer) {
    along_[index_of(layer->axis)].lower = layer->from;
    along_[index_of(layer->axis)].upper = layer->to;
  }
  if (const auto& cylinder = region.cylinder) {
    set_radius(cylinder->center, cylinder->radius, static_cast<int>(cylinder->axis));
    auto& ends = along_[index_of(cylinder->axis)];
    ends.lower = cylinder->from.value_or(ends.lower);
    ends.upper = cylinder->to.value_or(ends.upper);
  }
  if (region.sphere) set_radius(region.sphere->center, region.sphere->radius, -1);
}

/// `without`: the axis along which the distance does not count.
void RegionShape::set_radius(const std::vector<double>& center, double radius, int without) {
  radius_ = radius;
  for (std::size_t axis = 0; axis < center.size(); ++axis) {
    if (static_cast<int>(axis) == without) continue;
    along_[axis].center = center[axis];
    along_[axis].radial = true;
  }
}

bool RegionShape::reaches(int axis, double coordinate) const {
  const auto& along = along_[static_cast<std::size_t>(axis)];
  if (along.radial) return std::abs(coordinate - along.center) <= radius_;
  return along.lower <= coordinate && coordinate < along.upper;
}

bool RegionShape::contains(double x, double y, double z) const {
  double squares = 0;
  const std::array<double, 3> position{x, y, z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double distance = position[axis] - along_[axis].center;
    if (along_[axis].radial) squares += distance * distance;
  }
  return squares <= radius_ * radius_;
}

}  // namespace halotherm::app
