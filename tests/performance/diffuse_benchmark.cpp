// SPDX-License-Identifier: MIT
// The solver's step, to stand beside the baselines in one run.
#include "solver/kernels/apply.hpp"
#include "solver/kernels/tiles.hpp"
#include "tests/performance/timed.hpp"

namespace halotherm::test {
namespace {

constexpr std::int64_t updates_a_batch = std::int64_t{1} << 27;

/// A cube, with cells that are wider by half in one half of each axis if it is not even.
solver::Grid cube(int n, bool even) {
  solver::Grid grid{.dimensions = 3, .cells = {n, n, n}};
  if (even) return grid;
  std::vector<double> faces;
  for (int face = 0; face <= n; ++face)
    faces.push_back((face + 0.5 * std::max(0, face - n / 2)) / (1.25 * n));
  grid.faces.fill(std::make_shared<const std::vector<double>>(faces));
  return grid;
}

/// Steps of a cube with the coefficients that `material_of` gives for its cells and ghost cells.
template <class Real, class MaterialOf>
void diffuse(benchmark::State& state, const MaterialOf& material_of, bool even = true) {
  const int n = static_cast<int>(state.range(0));
  const auto grid = cube(n, even);
  const comm::Box box{{0, 0, 0}, grid.cells};
  const auto grown = comm::grown(box, {1, 1, 1}, {1, 1, 1});
  const solver::HeatEquation<Real> equation(grid, box, material_of(grown.size()));
  solver::Boundary<Real> boundary(box, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}});
  const auto fixed = solver::dirichlet(350);
  for (std::size_t side = 0; side < 6; ++side) boundary.set(side, std::span(&fixed, 1));
  solver::Field<Real> now("now", box, {1, 1, 1});
  solver::Field<Real> next("next", box, {1, 1, 1});
  fill_with_pattern(now);
  fill_with_pattern(next);

  const comm::Space space;
  const solver::EulerStep<Real> step{equation, boundary, 0.3 * equation.stable_dt(box)};
  comm::Region region(box);
  region.set_tile(tile_for(equation, solver::BlockPart::interior, box.size()));
  const auto batch = std::max<std::int64_t>(1, updates_a_batch / box.size());
  const double seconds = time_batches(state, space, batch, [&] {
    apply(space, region, step, std::as_const(now).view(), next.view());
    swap(now, next);
  });
  const auto updates = static_cast<double>(state.iterations() * batch * box.size());
  state.counters["GCells/s"] = 1e-9 * updates / seconds;
  state.SetBytesProcessed(static_cast<std::int64_t>(updates) * equation.bytes_per_cell());
  state.SetLabel(comm::to_string(region.tile()));
}

template <class Real>
void diffuse_uniform(benchmark::State& state) {
  diffuse<Real>(state, [](std::int64_t) { return solver::Material{{1.0}, 1.0, 0.0}; });
}

template <class Real>
void diffuse_uneven(benchmark::State& state) {
  diffuse<Real>(
      state,
      [](std::int64_t) {
        return solver::Material{{1.0}, 1.0, 0.0};
      },
      false);
}

/// K from cell to cell.
solver::Material varying(std::int64_t cells) {
  std::vector<double> K;
  for (std::int64_t n = 0; n < cells; ++n) K.push_back(1 + 0.001 * static_cast<double>(n % 777));
  return {{std::move(K)}, 1.0, 0.0};
}
template <class Real>
void diffuse_varying(benchmark::State& state) {
  diffuse<Real>(state, varying);
}
template <class Real>
void diffuse_uneven_varying(benchmark::State& state) {
  diffuse<Real>(state, varying, false);
}

/// K falls with the temperature by a table, rho c rises.
solver::MaterialTables tabulated(double factor) {
  return {{{{300, factor * 1.48}, {333, factor * 1.2}, {400, factor * 0.99}, {500, factor * 0.76}}},
          {{300, 1.6}, {500, 1.9}}};
}

template <class Real>
void diffuse_tables(benchmark::State& state) {
  diffuse<Real>(state, [](std::int64_t) {
    return solver::TabulatedMaterial{{tabulated(1)}, {}, 0.0};
  });
}

/// Two materials in layers of some thousand cells.
template <class Real>
void diffuse_two_materials(benchmark::State& state) {
  diffuse<Real>(state, [](std::int64_t cells) {
    solver::TabulatedMaterial material{{tabulated(1), tabulated(20)}, {}, 0.0};
    for (std::int64_t n = 0; n < cells; ++n)
      material.of_cell.push_back(static_cast<std::uint8_t>(n / 7777 % 2));
    return material;
  });
}

BENCHMARK(diffuse_uniform<double>)->Arg(128)->Arg(256)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uniform<float>)->Arg(128)->Arg(256)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_varying<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_varying<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven_varying<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven_varying<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_tables<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_tables<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_two_materials<double>)->Arg(128)->Arg(512)->UseManualTime();

}  // namespace
}  // namespace halotherm::test
