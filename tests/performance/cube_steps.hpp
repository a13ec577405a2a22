// SPDX-License-Identifier: MIT
// Steps of a cube of state.range(0) cells an axis, timed: for benchmarks of the solver's step.
#pragma once

#include "solver/kernels/apply.hpp"
#include "solver/kernels/tiles.hpp"
#include "tests/performance/timed.hpp"

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace halotherm::test {

struct NothingBeforeSteps {
  template <class Equation>
  void operator()(const comm::Space&, Equation&) const {}
};

/// A cube of equal cells.
inline solver::Grid even_cube(int n) {
  return {.dimensions = 3, .cells = {n, n, n}};
}
/// With cells that are wider by half in one half of each axis.
inline solver::Grid uneven_cube(int n) {
  auto grid = even_cube(n);
  std::vector<double> faces;
  for (int face = 0; face <= n; ++face)
    faces.push_back((face + 0.5 * std::max(0, face - n / 2)) / (1.25 * n));
  grid.faces.fill(std::make_shared<const std::vector<double>>(faces));
  return grid;
}

/// Temperatures without any order.
struct Pattern {
  template <class Real>
  void operator()(solver::Field<Real>& field) const {
    fill_with_pattern(field);
  }
};

/// `material_of` gives the coefficients for the number of its cells and ghost cells;
/// `before_step(space, equation)`, or `before_step(space, equation, boundary)`, is timed with each
/// step; `fill(field)` gives the temperatures; `tile`: other than a run would take.
template <class Real, class MaterialOf, class BeforeStep = NothingBeforeSteps, class Fill = Pattern>
void time_cube_steps(benchmark::State& state, const MaterialOf& material_of,
                     const BeforeStep& before_step = {}, solver::Grid (*cube)(int) = even_cube,
                     const Fill& fill = {}, const std::optional<comm::Tile>& tile = {}) {
  constexpr std::int64_t updates_a_batch = std::int64_t{1} << 27;
  const int n = static_cast<int>(state.range(0));
  const auto grid = cube(n);
  const comm::Box box{{0, 0, 0}, grid.cells};
  const auto grown = comm::grown(box, {1, 1, 1}, {1, 1, 1});
  solver::HeatEquation<Real> equation(grid, box, material_of(grown.size()));
  solver::Boundary<Real> boundary(box, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}});
  const auto fixed = solver::dirichlet(350);
  for (std::size_t side = 0; side < 6; ++side) boundary.set(side, std::span(&fixed, 1));
  solver::Field<Real> now("now", box, {1, 1, 1});
  solver::Field<Real> next("next", box, {1, 1, 1});
  fill(now);
  fill(next);

  const comm::Space space;
  const solver::EulerStep<Real> step{equation, boundary, 0.3 * equation.stable_dt(box)};
  const auto before = [&] {
    if constexpr (std::invocable<const BeforeStep&, const comm::Space&, decltype(equation)&,
                                 decltype(boundary)&>) {
      before_step(space, equation, boundary);
    } else {
      before_step(space, equation);
    }
  };
  before();
  comm::Region region(box);
  region.set_tile(tile.value_or(tile_for(equation, solver::BlockPart::interior, box.size())));
  const auto batch = std::max<std::int64_t>(1, updates_a_batch / box.size());
  const double seconds = time_batches(state, space, batch, [&] {
    before();
    apply(space, region, step, std::as_const(now).view(), next.view());
    swap(now, next);
  });
  const auto updates = static_cast<double>(state.iterations() * batch * box.size());
  state.counters["GCells/s"] = 1e-9 * updates / seconds;
  state.SetBytesProcessed(static_cast<std::int64_t>(updates) * equation.bytes_per_cell());
  state.SetLabel(comm::to_string(region.tile()));
}

}  // namespace halotherm::test
