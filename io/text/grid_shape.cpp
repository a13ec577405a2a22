// SPDX-License-Identifier: MIT
#include "io/text/grid_shape.hpp"

#include "comm/mpi/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace halotherm::io {

double centre_of(const GridShape& grid, std::size_t axis, int index) {
  if (grid.even(axis)) return grid.lower[axis] + (index + 0.5) * grid.spacing[axis];
  const auto& faces = *grid.faces[axis];
  const auto cell = static_cast<std::size_t>(index);
  return 0.5 * (faces[cell] + faces[cell + 1]);
}

std::string place_text(const GridShape& grid, const comm::Int3& cell) {
  std::array<double, 3> position{};
  for (std::size_t axis = 0; axis < 3; ++axis) position[axis] = centre_of(grid, axis, cell[axis]);
  const auto axes = std::span(position).first(static_cast<std::size_t>(grid.dimensions));
  return fmt::format("the cell ({}, {}, {}), position ({:g}) m", cell[0], cell[1], cell[2],
                     fmt::join(axes, ", "));
}

comm::Int3 cell_of(const GridShape& grid, std::int64_t index) {
  const auto row = index / grid.cells[0];
  return {static_cast<int>(index % grid.cells[0]), static_cast<int>(row % grid.cells[1]),
          static_cast<int>(row / grid.cells[1])};
}

template <class Real>
std::int64_t first_non_finite(const GridShape& grid, const comm::Box& region,
                              const comm::Box& block, std::span<const Real> values) {
  for (std::int64_t k = region.lower[2]; k < region.upper[2]; ++k) {
    for (std::int64_t j = region.lower[1]; j < region.upper[1]; ++j) {
      const auto row = (k - block.lower[2]) * block.extent(1) + j - block.lower[1];
      const Real* value = values.data() + row * block.extent(0) + region.lower[0] - block.lower[0];
      for (int i = region.lower[0]; i < region.upper[0]; ++i, ++value) {
        if (!std::isfinite(*value)) return (k * grid.cells[1] + j) * grid.cells[0] + i;
      }
    }
  }
  return no_index;
}

template <class Real>
void require_finite(const std::string& what, const GridShape& grid, const comm::Box& block,
                    std::span<const Real> values) {
  const auto first = first_non_finite(grid, block, block, values);
  if (first == no_index) return;
  throw comm::Error(
      comm::ExitCode::numerics,
      {what + " is not finite at " + place_text(grid, cell_of(grid, first)),
       "the first of perhaps more", "check the material, the source and the boundaries there"});
}

template std::int64_t first_non_finite(const GridShape&, const comm::Box&, const comm::Box&,
                                       std::span<const double>);
template void require_finite(const std::string&, const GridShape&, const comm::Box&,
                             std::span<const float>);
template void require_finite(const std::string&, const GridShape&, const comm::Box&,
                             std::span<const double>);

}  // namespace halotherm::io
