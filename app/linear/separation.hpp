// SPDX-License-Identifier: MIT
// Problems whose matrix is a product of factors along the axes.
#pragma once

#include "app/problem/problem.hpp"
#include "solver/linear/separable_matrix.hpp"

#include <optional>

namespace halotherm::app {

/// The grid of the multigrid's finest level.
template <class Real>
solver::LevelGrid level_grid(const Domain<Real>& domain) {
  return {domain.grid.dimensions, domain.grid.cells, domain.partition.periodic()};
}

/// Collective. The matrix that solver::set_matrix makes of the problem at present, where K along
/// each axis is one number, every side is one condition but for its values, no cell is void, and
/// rho c is one number if `rate` [1/s] is above 0; else nothing. Instantiated for float and double.
template <class Real>
std::optional<solver::SeparableMatrix> separable_matrix(const Domain<Real>& domain,
                                                        const Problem<Real>& problem, double rate);

}  // namespace halotherm::app
