// SPDX-License-Identifier: MIT
// The axes of a data set that holds the whole grid, and HDF5 selections of a rank's block.
#pragma once

#include "comm/partition/box.hpp"
#include "io/hdf5/handle.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace halotherm::io {

/// The axes of a data set: `extent` entries along x, y, z, of which the file has the first
/// `dimensions`, slowest axis first.
struct FieldAxes {
  int dimensions = 3;
  comm::Int3 extent{1, 1, 1};

  /// (nz, ny, nx), (ny, nx) or (nx).
  std::vector<hsize_t> file_extents() const;
};

namespace hdf5 {

template <class Real>
hid_t native_type() {
  return std::is_same_v<Real, float> ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
}

/// The box as a selection of the data set; an empty box selects nothing. Throws CallError.
Dataspace file_selection(const FieldAxes& axes, const comm::Box& box);

/// `count` entries in a row of memory. Throws CallError.
Dataspace memory_row(std::int64_t count);

}  // namespace hdf5

}  // namespace halotherm::io
