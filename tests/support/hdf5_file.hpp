// SPDX-License-Identifier: MIT
// Small HDF5 files for tests to read.
#pragma once

#include "io/hdf5/handle.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace halotherm::test {

/// Adds a data set to the file, made if it is missing; `stored` is its type in the file.
inline void add_dataset(const std::filesystem::path& path, const std::string& name,
                        const std::vector<hsize_t>& extents, const std::vector<double>& values,
                        hid_t stored = H5T_NATIVE_DOUBLE) {
  using namespace io::hdf5;
  const bool there = std::filesystem::exists(path);
  const File file(there ? H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                        : H5Fcreate(path.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT));
  const PropertyList links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.get(), 1);
  const Dataspace space(
      H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr));
  const Dataset dataset(H5Dcreate2(file.get(), name.c_str(), stored, space.get(), links.get(),
                                   H5P_DEFAULT, H5P_DEFAULT));
  H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

/// All values of a data set.
inline std::vector<double> values_of(const std::filesystem::path& path, const std::string& name) {
  using namespace io::hdf5;
  const File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  const Dataset dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT));
  const Dataspace space(H5Dget_space(dataset.get()));
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
  H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  return values;
}

}  // namespace halotherm::test
