// SPDX-License-Identifier: MIT
#include "io/field/vtkhdf.hpp"

#include "io/hdf5/library.hpp"
#include "io/hdf5/values.hpp"

#include <array>

namespace halotherm::io {

VtkImage vtk_image(const GridShape& grid) {
  VtkImage image;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool has_axis = static_cast<int>(axis) < grid.dimensions;
    const bool flat = grid.cells[axis] == 1;
    image.spacing[axis] = has_axis ? grid.spacing[axis] : grid.spacing[0];
    // two layers of a single cell lie on its faces, so that the picture has the cell's thickness
    image.origin[axis] =
        has_axis ? grid.lower[axis] + (flat ? 0.0 : 0.5 * grid.spacing[axis]) : 0.0;
    image.copies[axis] = flat ? 2 : 1;
    image.axes.extent[axis] = flat ? 2 : grid.cells[axis];
  }
  return image;
}

comm::Box points_of(const VtkImage& image, const comm::Box& block) {
  comm::Box points = block;
  for (int axis = 0; axis < 3 && !block.empty(); ++axis)
    points.upper[axis] += image.copies[axis] - 1;
  return points;
}

template <class Real>
std::vector<Real> values_at_points(const VtkImage& image, const comm::Box& block,
                                   std::span<const Real> values) {
  const auto points = points_of(image, block);
  std::vector<Real> copied;
  const auto cells = static_cast<std::size_t>(block.size());
  if (cells > 0) copied.reserve(values.size() / cells * static_cast<std::size_t>(points.size()));
  for (; !values.empty(); values = values.subspan(cells)) {
    for (int k = 0; k < points.extent(2); ++k) {
      for (int j = 0; j < points.extent(1); ++j) {
        for (int i = 0; i < points.extent(0); ++i) {
          const std::int64_t row =
              std::int64_t{k / image.copies[2]} * block.extent(1) + j / image.copies[1];
          copied.push_back(
              values[static_cast<std::size_t>(row * block.extent(0) + i / image.copies[0])]);
        }
      }
    }
  }
  return copied;
}

template std::vector<float> values_at_points(const VtkImage&, const comm::Box&,
                                             std::span<const float>);
template std::vector<double> values_at_points(const VtkImage&, const comm::Box&,
                                              std::span<const double>);

void write_vtk_metadata(hid_t file, std::span<const hdf5::Dataset> datasets,
                        const std::vector<comm::Quantity>& fields, const VtkImage& image,
                        std::int64_t step, double time, const std::string& config, bool fills) {
  const hdf5::Group group(
      hdf5::checked(H5Gopen2(file, "VTKHDF", H5P_DEFAULT), "cannot open the group VTKHDF"));
  const auto& extent = image.axes.extent;
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

  hdf5::write_attribute(file, "format", std::string("halotherm-snapshot"));
  hdf5::write_attribute(file, "format_version", std::int64_t{1});
  hdf5::write_attribute(file, "step", step);
  hdf5::write_attribute(file, "time", time);
  hdf5::write_attribute(file, "time_unit", std::string("s"));
  hdf5::write_attribute(file, "length_unit", std::string("m"));
  for (std::size_t n = 0; n < fields.size(); ++n)
    hdf5::write_attribute(datasets[n].get(), "units", fields[n].unit);
  hdf5::write_text(file, "config", config, fills);
}

}  // namespace halotherm::io
