// SPDX-License-Identifier: MIT
#include "io/field/vtkhdf.hpp"

#include "io/hdf5/library.hpp"
#include "io/hdf5/values.hpp"

#include <array>

namespace halotherm::io {

namespace {

struct Image {
  comm::Int3 extent{1, 1, 1};
  std::array<double, 3> origin{};   ///< [m]
  std::array<double, 3> spacing{};  ///< [m]
};

void write_image(hid_t file, const Image& image) {
  const hdf5::Group group(
      hdf5::checked(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), "cannot open the group VTKHDF"));
  const auto& extent = image.extent;
  const std::array<std::int64_t, 2> version{1, 0};
  const std::array<std::int64_t, 6> whole{0, extent[0] - 1, 0, extent[1] - 1, 0, extent[2] - 1};
  const std::array<double, 9> direction{1, 0, 0, 0, 1, 0, 0, 0, 1};
  hdf5::write_attribute(group.get(), "Version", version);
  hdf5::write_attribute(group.get(), "Type", std::string("ImageData"),
                        H5T_CSET_ASCII);  // VTK 9.2 and later read no other set
  hdf5::write_attribute(group.get(), "WholeExtent", whole);
  hdf5::write_attribute(group.get(), "Origin", image.origin);
  hdf5::write_attribute(group.get(), "Spacing", image.spacing);
  hdf5::write_attribute(group.get(), "Direction", direction);
}

}  // namespace

SnapshotLayout vtkhdf_layout(const GridShape& grid) {
  SnapshotLayout layout;
  layout.group = "/VTKHDF/PointData/";
  layout.config = "config";
  Image image;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool has_axis = static_cast<int>(axis) < grid.dimensions;
    const bool flat = grid.cells[axis] == 1;
    image.spacing[axis] = has_axis ? grid.spacing[axis] : grid.spacing[0];
    // two layers of a single cell lie on its faces, so that the picture has the cell's thickness
    image.origin[axis] =
        has_axis ? grid.lower[axis] + (flat ? 0.0 : 0.5 * grid.spacing[axis]) : 0.0;
    image.extent[axis] = flat ? 2 : grid.cells[axis];
    layout.copies[axis] = flat ? 2 : 1;
  }
  layout.axes.extent = image.extent;
  layout.describe_grid = [image](hid_t file, std::span<const hdf5::Dataset>, bool) {
    write_image(file, image);
  };
  return layout;
}

}  // namespace halotherm::io
