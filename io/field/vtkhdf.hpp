// SPDX-License-Identifier: MIT
// The VTKHDF ImageData layout of one snapshot.
#pragma once

#include "io/distribution/field_block.hpp"
#include "io/text/grid_shape.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halotherm::io {

/// Where the grid's cell centres stand as points of a VTK image. VTK 9.1 cannot read flat images,
/// so an axis of a single cell, or one that the grid lacks, becomes two equal layers of points.
struct VtkImage {
  FieldAxes axes;
  comm::Int3 copies{1, 1, 1};
  std::array<double, 3> origin{};   ///< [m]
  std::array<double, 3> spacing{};  ///< [m]
};

VtkImage vtk_image(const GridShape& grid);

/// The points of a block of cells.
comm::Box points_of(const VtkImage& image, const comm::Box& block);
/// Their values, x fastest, out of the block's.
template <class Real>
std::vector<Real> values_at_points(const VtkImage& image, const comm::Box& block,
                                   std::span<const Real> values);

inline constexpr const char* vtk_dataset = "/VTKHDF/PointData/T";

/// Writes everything but the values, at the step and time [s]; `fills` as SharedField::describe has
/// it. Throws comm::Error (input_output).
void write_vtk_metadata(hid_t file, hid_t dataset, const VtkImage& image, std::int64_t step,
                        double time, const std::string& config, bool fills);

}  // namespace halotherm::io
