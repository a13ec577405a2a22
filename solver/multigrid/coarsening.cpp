// SPDX-License-Identifier: MIT
#include "solver/multigrid/coarsening.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace halotherm::solver {

PartlyJoined::PartlyJoined(const std::vector<int>& first)
    : first_("first of joined cells", first.size()),
      parent_("coarse cells", static_cast<std::size_t>(first.back())),
      first_on_host_(Kokkos::create_mirror_view(first_)),
      parent_on_host_(Kokkos::create_mirror_view(parent_)),
      coarse_cells_(static_cast<int>(first.size()) - 1) {
  std::ranges::copy(first, first_on_host_.data());
  for (int coarse = 0; coarse < coarse_cells_; ++coarse) {
    for (int index = first_on_host_(coarse); index < first_on_host_(coarse + 1); ++index)
      parent_on_host_(index) = coarse;
  }
  Kokkos::deep_copy(first_, first_on_host_);
  Kokkos::deep_copy(parent_, parent_on_host_);
}

LevelGrid Coarsening::coarse() const {
  auto grid = fine;
  for (int axis = 0; axis < 3; ++axis) grid.cells[axis] = coarse_cells(axis);
  return grid;
}

namespace {

/// Of the face between two cells of these widths.
double between(double conductivity, double one, double other) {
  return conductivity / ((one + other) / 2);
}
/// Of a side whose cell becomes wider; `own`: before that. What lies beyond the face stays.
double at_side(double conductivity, double own, double fine_width, double coarse_width) {
  const double farther = (coarse_width - fine_width) / 2;
  return own > 0 ? 1 / (1 / own + farther / conductivity) : 0.0;
}

/// The factors of joined cells along an axis.
AxisFactors joined_along(const Coarsening& coarsening, int axis, const AxisFactors& fine) {
  const double conductivity = fine.conductivity;
  AxisFactors coarse{{}, {}, conductivity};
  auto& face = coarse.face;
  auto& area = coarse.area;
  const int cells = coarsening.coarse_cells(axis);
  for (int index = 0; index < cells; ++index) {
    const auto joined = children(coarsening, axis, index);
    area.push_back(
        std::accumulate(fine.area.begin() + joined.first, fine.area.begin() + joined.end, 0.0));
  }
  const bool periodic = coarsening.fine.periodic[axis];
  face.push_back(periodic
                     ? between(conductivity, area.back(), area.front())
                     : at_side(conductivity, fine.face.front(), fine.area.front(), area.front()));
  for (std::size_t n = 1; n < area.size(); ++n)
    face.push_back(between(conductivity, area[n - 1], area[n]));
  face.push_back(periodic ? face.front()
                          : at_side(conductivity, fine.face.back(), fine.area.back(), area.back()));
  if (periodic && cells == 1) face = {0, 0};  // a cell beside itself
  return coarse;
}

}  // namespace

SeparableMatrix coarsened(const Coarsening& coarsening, const SeparableMatrix& fine) {
  std::array<AxisFactors, 3> factors;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& along = fine.along(axis);
    factors[static_cast<std::size_t>(axis)] =
        coarsening.joins(axis) ? joined_along(coarsening, axis, along) : along;
  }
  return {coarsening.coarse(), std::move(factors), fine.mass()};
}

}  // namespace halotherm::solver
