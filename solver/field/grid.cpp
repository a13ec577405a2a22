// SPDX-License-Identifier: MIT
#include "solver/field/grid.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace halotherm::solver {

namespace {

/// The cell of which a ghost cell takes the width.
int source_of(int index, int cells, bool periodic) {
  if (periodic) return ((index % cells) + cells) % cells;
  const int mirrored = index < 0 ? -1 - index : index >= cells ? 2 * cells - 1 - index : index;
  return std::clamp(mirrored, 0, cells - 1);
}

}  // namespace

double Grid::width(int axis, int index) const {
  if (even(axis)) return spacing(axis);
  const auto a = static_cast<std::size_t>(axis);
  const auto cell = static_cast<std::size_t>(source_of(index, cells[axis], periodic[a]));
  return (*faces[a])[cell + 1] - (*faces[a])[cell];
}

double Grid::largest_width(int axis) const {
  if (even(axis)) return spacing(axis);
  double largest = 0;
  for (int index = 0; index < cells[axis]; ++index) largest = std::max(largest, width(axis, index));
  return largest;
}

double Grid::centre(int axis, int index) const {
  const auto a = static_cast<std::size_t>(axis);
  if (even(axis)) return lower[a] + (index + 0.5) * spacing(axis);
  const auto cell = static_cast<std::size_t>(std::clamp(index, 0, cells[axis] - 1));
  return 0.5 * ((*faces[a])[cell] + (*faces[a])[cell + 1]);
}

int Grid::cell_at(int axis, double position) const {
  const auto a = static_cast<std::size_t>(axis);
  const int last = cells[axis] - 1;
  if (even(axis))
    return std::clamp(static_cast<int>(std::floor((position - lower[a]) / spacing(axis))), 0, last);
  const auto above = std::ranges::upper_bound(*faces[a], position);
  return std::clamp(static_cast<int>(above - faces[a]->begin()) - 1, 0, last);
}

double Grid::place(int axis, double position) const {
  const auto a = static_cast<std::size_t>(axis);
  if (even(axis)) return (position - lower[a]) / spacing(axis) - 0.5;
  int cell = cell_at(axis, position);
  if (position < centre(axis, cell)) --cell;  // the centre below, or none
  const bool first = cell < 0;
  const double from = centre(axis, std::max(cell, 0));
  const double distance = 0.5 * (width(axis, cell) + width(axis, cell + 1));
  return (first ? 0 : cell) + (position - from) / distance;
}

double Grid::volume_in_cells() const {
  if (even()) return static_cast<double>(cell_count());
  double product = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto all = shares(axis);
    product *= std::accumulate(all.begin(), all.end(), 0.0);
  }
  return product;
}

std::vector<double> Grid::shares(int axis) const {
  std::vector<double> result(static_cast<std::size_t>(cells[axis]), 1.0);
  if (even(axis)) return result;
  const double largest = largest_width(axis);
  for (int index = 0; index < cells[axis]; ++index)
    result[static_cast<std::size_t>(index)] = width(axis, index) / largest;
  return result;
}

std::optional<Grid> Grid::coarsened(const comm::Int3& factors) const {
  Grid coarse = *this;
  for (int axis = 0; axis < 3; ++axis) {
    if (cells[axis] % factors[axis] != 0) return std::nullopt;
    coarse.cells[axis] = cells[axis] / factors[axis];
    if (even(axis)) continue;
    const auto& all = *faces[static_cast<std::size_t>(axis)];
    std::vector<double> kept;
    for (std::size_t n = 0; n < all.size(); n += static_cast<std::size_t>(factors[axis]))
      kept.push_back(all[n]);
    coarse.faces[static_cast<std::size_t>(axis)] =
        std::make_shared<const std::vector<double>>(std::move(kept));
  }
  return coarse;
}

}  // namespace halotherm::solver
