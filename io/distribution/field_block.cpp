// SPDX-License-Identifier: MIT
#include "io/distribution/field_block.hpp"

#include "io/hdf5/library.hpp"

#include <algorithm>
#include <array>

namespace halotherm::io {

std::vector<hsize_t> FieldAxes::file_extents() const {
  std::vector<hsize_t> extents;
  for (int axis = dimensions - 1; axis >= 0; --axis)
    extents.push_back(static_cast<hsize_t>(extent[axis]));
  return extents;
}

namespace hdf5 {

Dataspace file_selection(const FieldAxes& axes, const comm::Box& box) {
  const auto extents = axes.file_extents();
  Dataspace space(checked(H5Screate_simple(axes.dimensions, extents.data(), nullptr),
                          "cannot describe the data set"));
  if (box.empty()) {
    checked(H5Sselect_none(space.get()), "cannot select an empty block");
    return space;
  }
  std::array<hsize_t, 3> start{}, count{};
  for (int axis = 0; axis < axes.dimensions; ++axis) {
    const auto place = static_cast<std::size_t>(axes.dimensions - 1 - axis);
    start[place] = static_cast<hsize_t>(box.lower[axis]);
    count[place] = static_cast<hsize_t>(box.extent(axis));
  }
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr),
          "cannot select the block " + to_string(box));
  return space;
}

Dataspace memory_row(std::int64_t count) {
  const auto entries = static_cast<hsize_t>(std::max<std::int64_t>(count, 1));
  Dataspace space(checked(H5Screate_simple(1, &entries, nullptr), "cannot describe the memory"));
  if (count == 0) checked(H5Sselect_none(space.get()), "cannot select nothing");
  return space;
}

}  // namespace hdf5

}  // namespace halotherm::io
