// SPDX-License-Identifier: MIT
// How the fields of a snapshot lie in its file.
#pragma once

#include "io/distribution/field_block.hpp"
#include "io/hdf5/handle.hpp"
#include "io/text/grid_shape.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

enum class SnapshotFormat { vtkhdf, netcdf };
inline constexpr std::array snapshot_formats{SnapshotFormat::vtkhdf, SnapshotFormat::netcdf};

/// Of the names of the files, with the dot.
const char* suffix_of(SnapshotFormat format);

/// The snapshots of a grid in a format. Fields are values at points, the cells' centres.
struct SnapshotLayout {
  std::string group;            ///< of the fields' data sets, ends with '/'; empty for the root
  std::string config;           ///< data set of the configuration
  FieldAxes axes;               ///< of the points
  comm::Int3 copies{1, 1, 1};   ///< layers of points for one cell along each axis
  std::int64_t grid_bytes = 0;  ///< at least what `describe_grid` adds to a file
  /// Local. Writes whatever says where the points are; `fills` as in SharedField::describe. Throws
  /// comm::Error (input_output).
  std::function<void(hid_t file, std::span<const hdf5::Dataset> fields, bool fills)> describe_grid;
};

/// Throws nothing. VTKHDF images have one spacing along an axis, the mean one of uneven axes.
SnapshotLayout snapshot_layout(SnapshotFormat format, const GridShape& grid);

/// The points of a block of cells.
comm::Box points_of(const SnapshotLayout& layout, const comm::Box& block);
/// The values of a block's points, given those of its cells, x fastest and one field after another.
/// Instantiated for float and double.
template <class Real>
std::vector<Real> values_at_points(const SnapshotLayout& layout, const comm::Box& block,
                                   std::span<const Real> values);

}  // namespace halotherm::io
