// SPDX-License-Identifier: MIT
// The VTKHDF ImageData layout of snapshots.
#pragma once

#include "io/field/snapshot_layout.hpp"

namespace halotherm::io {

/// A VTK image whose points are the grid's cell centres. VTK 9.1 cannot read flat images, so an
/// axis of a single cell, or one that the grid lacks, becomes two equal layers of points.
SnapshotLayout vtkhdf_layout(const GridShape& grid);

}  // namespace halotherm::io
