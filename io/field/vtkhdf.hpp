// SPDX-License-Identifier: MIT
// The VTKHDF ImageData layout of one snapshot.
#pragma once

#include "comm/partition/quantity.hpp"
#include "io/distribution/field_block.hpp"
#include "io/text/grid_shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// The VTK image whose points are the grid's cell centres. VTK 9.1 cannot read flat images, so an
/// axis of a single cell, or one that the grid lacks, becomes two equal layers of points.
struct VtkImage {
  FieldAxes axes;
  comm::Int3 copies{1, 1, 1};
  std::array<double, 3> origin{};   ///< [m]
  std::array<double, 3> spacing{};  ///< [m]
};

VtkImage vtk_image(const GridShape& grid);

/// The points of a block of cells.
comm::Box points_of(const VtkImage& image, const comm::Box& block);
/// The values of a block's points, given those of its cells, x fastest and one field after another.
/// Instantiated for float and double.
template <class Real>
std::vector<Real> values_at_points(const VtkImage& image, const comm::Box& block,
                                   std::span<const Real> values);

/// Of the fields' data sets.
inline constexpr const char* vtk_group = "/VTKHDF/PointData/";

/// Local. Writes everything but the fields' values of a snapshot at `step` and `time` [s]; `fills`
/// as in SharedField::describe. Throws comm::Error (input_output).
void write_vtk_metadata(hid_t file, std::span<const hdf5::Dataset> datasets,
                        const std::vector<comm::Quantity>& fields, const VtkImage& image,
                        std::int64_t step, double time, const std::string& config, bool fills);

}  // namespace halotherm::io
