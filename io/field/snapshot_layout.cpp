// SPDX-License-Identifier: MIT
#include "io/field/snapshot_layout.hpp"

#include "io/field/netcdf.hpp"
#include "io/field/vtkhdf.hpp"

namespace halotherm::io {

const char* suffix_of(SnapshotFormat format) {
  return format == SnapshotFormat::vtkhdf ? ".hdf" : ".nc";
}

SnapshotLayout snapshot_layout(SnapshotFormat format, const GridShape& grid) {
  return format == SnapshotFormat::vtkhdf ? vtkhdf_layout(grid) : netcdf_layout(grid);
}

comm::Box points_of(const SnapshotLayout& layout, const comm::Box& block) {
  comm::Box points = block;
  for (int axis = 0; axis < 3 && !block.empty(); ++axis)
    points.upper[axis] += layout.copies[axis] - 1;
  return points;
}

template <class Real>
std::vector<Real> values_at_points(const SnapshotLayout& layout, const comm::Box& block,
                                   std::span<const Real> values) {
  const auto points = points_of(layout, block);
  std::vector<Real> copied;
  const auto cells = static_cast<std::size_t>(block.size());
  if (cells > 0) copied.reserve(values.size() / cells * static_cast<std::size_t>(points.size()));
  for (; !values.empty(); values = values.subspan(cells)) {
    for (int k = 0; k < points.extent(2); ++k) {
      for (int j = 0; j < points.extent(1); ++j) {
        for (int i = 0; i < points.extent(0); ++i) {
          const std::int64_t row =
              std::int64_t{k / layout.copies[2]} * block.extent(1) + j / layout.copies[1];
          copied.push_back(
              values[static_cast<std::size_t>(row * block.extent(0) + i / layout.copies[0])]);
        }
      }
    }
  }
  return copied;
}

template std::vector<float> values_at_points(const SnapshotLayout&, const comm::Box&,
                                             std::span<const float>);
template std::vector<double> values_at_points(const SnapshotLayout&, const comm::Box&,
                                              std::span<const double>);

}  // namespace halotherm::io
