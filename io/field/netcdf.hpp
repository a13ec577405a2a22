// SPDX-License-Identifier: MIT
// The netCDF-4 layout of snapshots: HDF5 with coordinates along each axis (CF conventions).
#pragma once

#include "io/field/snapshot_layout.hpp"

namespace halotherm::io {

/// Fields (z, y, x) with coordinate variables z, y, x [m] of their dimensions, as HDF5 dimension
/// scales, so grids with cells of different widths have the right positions.
SnapshotLayout netcdf_layout(const GridShape& grid);

}  // namespace halotherm::io
