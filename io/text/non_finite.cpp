// SPDX-License-Identifier: MIT
#include "io/text/non_finite.hpp"

#include "comm/mpi/error.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

namespace halotherm::io {

namespace {

constexpr double nowhere = std::numeric_limits<double>::max();

/// Of the cell in the whole grid; below 2^53, so exact as a double.
double linear_index(const GridShape& grid, int i, int j, int k) {
  return static_cast<double>((std::int64_t{k} * grid.cells[1] + j) * grid.cells[0] + i);
}

template <class Real>
double first_here(const GridShape& grid, const comm::Box& region, const comm::Box& block,
                  std::span<const Real> values) {
  for (int k = region.lower[2]; k < region.upper[2]; ++k) {
    for (int j = region.lower[1]; j < region.upper[1]; ++j) {
      const auto row = (std::int64_t{k} - block.lower[2]) * block.extent(1) + j - block.lower[1];
      const Real* value = values.data() + row * block.extent(0) + region.lower[0] - block.lower[0];
      for (int i = region.lower[0]; i < region.upper[0]; ++i, ++value) {
        if (!std::isfinite(*value)) return linear_index(grid, i, j, k);
      }
    }
  }
  return nowhere;
}

}  // namespace

template <class Real>
double first_non_finite(const comm::Communicator& communicator, const GridShape& grid,
                        const comm::Box& region, const comm::Box& block,
                        std::span<const Real> values) {
  const double first = communicator.min(first_here(grid, region, block, values));
  return first == nowhere ? -1 : first;
}

comm::Int3 cell_of(const GridShape& grid, double index) {
  const auto linear = static_cast<std::int64_t>(index);
  const std::int64_t row = linear / grid.cells[0];
  return {static_cast<int>(linear % grid.cells[0]), static_cast<int>(row % grid.cells[1]),
          static_cast<int>(row / grid.cells[1])};
}

std::string place_text(const GridShape& grid, const comm::Int3& cell) {
  std::ostringstream text;
  text << "the cell (" << cell[0] << ", " << cell[1] << ", " << cell[2] << "), position (";
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis) {
    text << (axis > 0 ? ", " : "") << grid.lower[axis] + (cell[axis] + 0.5) * grid.spacing[axis];
  }
  text << ") m";
  return text.str();
}

template <class Real>
void require_finite(const std::string& what, const GridShape& grid, const comm::Box& block,
                    std::span<const Real> values) {
  const double first = first_here(grid, block, block, values);
  if (first == nowhere) return;
  throw comm::Error(comm::ExitCode::numerics,
                    what + " is not finite at " + place_text(grid, cell_of(grid, first)) +
                        " (the first of perhaps more) look at the material, the source and the "
                        "boundaries there");
}

template void require_finite(const std::string&, const GridShape&, const comm::Box&,
                             std::span<const float>);
template void require_finite(const std::string&, const GridShape&, const comm::Box&,
                             std::span<const double>);
template double first_non_finite(const comm::Communicator&, const GridShape&, const comm::Box&,
                                 const comm::Box&, std::span<const double>);

}  // namespace halotherm::io
