// SPDX-License-Identifier: MIT
#include "app/linear/separation.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace halotherm::app {

namespace {

/// Above this, factors along an axis would be no small part of the problem.
constexpr int most_cells_along = 1 << 20;

/// 1 − alpha of both sides across each axis.
using SideWeights = std::array<std::array<double, 2>, 3>;

template <class Real>
bool has_constant_coefficients(const Problem<Real>& problem, double rate) {
  const auto& medium = problem.equation.medium();
  const bool one_K = std::holds_alternative<solver::UniformMedium<Real>>(medium) ||
                     std::holds_alternative<solver::StretchedMedium<Real>>(medium);
  return one_K && !(rate > 0 && problem.equation.heat_content().varies());
}

/// Collective. Nothing, on all ranks, if faces of a side differ on some rank or between two.
template <class Real>
std::optional<SideWeights> common_weights(const comm::Communicator& world,
                                          const solver::Boundary<Real>& boundary) {
  constexpr double none = -std::numeric_limits<double>::max();
  std::array<double, 12> extremes;  // the largest alpha of each side, and of −alpha
  extremes.fill(none);
  bool differ = false;
  for (std::size_t n = 0; n < boundary.sides().size(); ++n) {
    const auto& side = boundary.sides()[n];
    const auto alpha = boundary.common_alpha(n);
    const auto at = static_cast<std::size_t>(2 * side.axis + side.end);
    differ = differ || !alpha;
    extremes[at] = alpha.value_or(0);
    extremes[6 + at] = -alpha.value_or(0);
  }
  if (world.any(differ)) return std::nullopt;
  world.max(std::span<double>(extremes));
  SideWeights weights{};
  for (std::size_t at = 0; at < 6; ++at) {
    if (extremes[at] == none) continue;  // periodic
    if (extremes[at] != -extremes[6 + at]) return std::nullopt;
    weights[at / 2][at % 2] = 1 - extremes[at];
  }
  return weights;
}

/// `conductivity` [W/(m K)]; `weights` of the sides.
solver::AxisFactors factors_along(const solver::Grid& grid, int axis, bool periodic,
                                  double conductivity, const std::array<double, 2>& weights) {
  const double largest = grid.largest_width(axis);
  const int cells = grid.cells[axis];
  solver::AxisFactors factors;
  factors.area = grid.shares(axis);
  factors.conductivity = conductivity / (largest * largest);
  const auto share = [&](int index) {
    return factors.area[static_cast<std::size_t>((index + cells) % cells)];
  };
  for (int face = 0; face <= cells; ++face) {
    const double distance = (share(face - 1) + share(face)) / 2;
    factors.face.push_back(factors.conductivity / distance);
  }
  if (periodic) {
    if (cells == 1) factors.face = {0, 0};  // a cell beside itself
    return factors;
  }
  factors.face.front() = weights[0] * factors.conductivity / factors.area.front();
  factors.face.back() = weights[1] * factors.conductivity / factors.area.back();
  return factors;
}

}  // namespace

template <class Real>
std::optional<solver::SeparableMatrix> separable_matrix(const Domain<Real>& domain,
                                                        const Problem<Real>& problem, double rate) {
  const auto& grid = domain.grid;
  const bool may_be = has_constant_coefficients(problem, rate) &&
                      *std::max_element(grid.cells.begin(), grid.cells.end()) <= most_cells_along &&
                      !problem.void_cells.exist;
  if (domain.world.any(!may_be)) return std::nullopt;
  const auto weights = common_weights(domain.world, problem.boundary.sides());
  if (!weights) return std::nullopt;
  const auto level = level_grid(domain);
  std::array<solver::AxisFactors, 3> factors;
  for (int axis = 0; axis < 3; ++axis) {
    auto& along = factors[static_cast<std::size_t>(axis)];
    along = axis < grid.dimensions
                ? factors_along(grid, axis, level.periodic[axis],
                                1 / static_cast<double>(problem.equation.resistivity(axis).value),
                                (*weights)[static_cast<std::size_t>(axis)])
                : solver::AxisFactors{{0, 0}, {1}, 0};
  }
  const double capacity = static_cast<double>(problem.equation.inverse_capacity().value);
  return solver::SeparableMatrix(level, std::move(factors), rate > 0 ? rate / capacity : 0);
}

template std::optional<solver::SeparableMatrix> separable_matrix(const Domain<float>&,
                                                                 const Problem<float>&, double);
template std::optional<solver::SeparableMatrix> separable_matrix(const Domain<double>&,
                                                                 const Problem<double>&, double);

}  // namespace halotherm::app
