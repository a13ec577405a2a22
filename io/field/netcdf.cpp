// SPDX-License-Identifier: MIT
#include "io/field/netcdf.hpp"

#include "io/hdf5/library.hpp"
#include "io/hdf5/values.hpp"

namespace halotherm::io {

namespace {

constexpr std::array<const char*, 3> axis_names{"x", "y", "z"};

/// As the HDF5 library's dimension scales have it: a text that ends with a zero.
void write_ascii(hid_t object, const char* name, const std::string& text) {
  hdf5::write_attribute(object, name, text, H5T_CSET_ASCII, hdf5::Padding::terminated);
}

/// Makes a coordinate variable: an HDF5 dimension scale (HDF5 Dimension Scale Specification, The
/// HDF Group 2005, section 3).
void write_coordinates(hid_t file, const GridShape& grid, std::size_t axis, bool fills) {
  std::vector<double> centres;
  for (int index = 0; index < grid.cells[axis]; ++index)
    centres.push_back(centre_of(grid, axis, index));
  const auto* name = axis_names[axis];
  hdf5::write_numbers(file, name, centres, fills);
  const hdf5::Dataset scale(hdf5::checked(H5Dopen2(file, name, H5P_DEFAULT),
                                          std::string("cannot open the coordinates ") + name));
  write_ascii(scale.get(), "CLASS", "DIMENSION_SCALE");
  write_ascii(scale.get(), "NAME", name);
  write_ascii(scale.get(), "units", "m");
}

/// Writes the faces of the cells beside the configuration, where readers of fields do not see them.
void write_faces(hid_t file, const GridShape& grid, std::size_t axis, bool fills) {
  const auto name = std::string("halotherm/faces_") + axis_names[axis];
  if (!grid.even(axis)) return hdf5::write_numbers(file, name, *grid.faces[axis], fills);
  std::vector<double> faces;
  for (int face = 0; face <= grid.cells[axis]; ++face)
    faces.push_back(grid.lower[axis] + face * grid.spacing[axis]);
  hdf5::write_numbers(file, name, faces, fills);
}

/// Names the coordinate variable of each axis of a field, slowest first.
void attach_coordinates(hid_t file, hid_t field, int dimensions) {
  const char* action = "cannot name the coordinates of a field";
  using hdf5::checked;
  const auto axes = static_cast<std::size_t>(dimensions);
  std::array<hobj_ref_t, 3> references{};
  std::array<hvl_t, 3> lists{};  // no vector: nvcc 13.0 fails on vectors of a type without a name
  for (std::size_t place = 0; place < axes; ++place) {
    const auto axis = axes - 1 - place;
    checked(H5Rcreate(&references[axis], file, axis_names[axis], H5R_OBJECT, -1), action);
    lists[place].len = 1;
    lists[place].p = &references[axis];
  }
  const hsize_t count = axes;
  const hdf5::Datatype type(checked(H5Tvlen_create(H5T_STD_REF_OBJ), action));
  const hdf5::Dataspace space(checked(H5Screate_simple(1, &count, nullptr), action));
  const hdf5::Attribute attribute(checked(
      H5Acreate2(field, "DIMENSION_LIST", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      action));
  checked(H5Awrite(attribute.get(), type.get(), lists.data()), action);
}

/// Readers take data sets of the root for fields, so the configuration lies in a group.
void make_group(hid_t file) {
  const char* action = "cannot make the group of the configuration";
  const hdf5::PropertyList creation(hdf5::checked(H5Pcreate(H5P_GROUP_CREATE), action));
  hdf5::checked(H5Pset_obj_track_times(creation.get(), false), action);
  const hdf5::Group group(hdf5::checked(
      H5Gcreate2(file, "halotherm", H5P_DEFAULT, creation.get(), H5P_DEFAULT), action));
}

}  // namespace

SnapshotLayout netcdf_layout(const GridShape& grid) {
  SnapshotLayout layout;
  layout.config = "halotherm/config";
  layout.axes.dimensions = grid.dimensions;
  layout.axes.extent = grid.cells;
  for (int axis = 0; axis < grid.dimensions; ++axis)
    layout.grid_bytes += (2 * std::int64_t{grid.cells[axis]} + 1) * std::int64_t{sizeof(double)};
  layout.describe_grid = [grid](hid_t file, std::span<const hdf5::Dataset> fields, bool fills) {
    write_ascii(file, "Conventions", "CF-1.8");
    make_group(file);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
      write_coordinates(file, grid, axis, fills);
      write_faces(file, grid, axis, fills);
    }
    for (const auto& field : fields) attach_coordinates(file, field.get(), grid.dimensions);
  };
  return layout;
}

}  // namespace halotherm::io
