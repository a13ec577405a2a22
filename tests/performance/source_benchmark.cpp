// SPDX-License-Identifier: MIT
// What a source of position and time adds to a step: halotherm_benchmarks --benchmark_filter=source
#include "solver/equation/formula_source.hpp"
#include "solver/formula/formula.hpp"
#include "tests/performance/cube_steps.hpp"

namespace halotherm::test {
namespace {

constexpr int largest = 512;  // cells an axis
constexpr double time_step = 1e-3;

comm::Box cube(int n) {
  return {{0, 0, 0}, {n, n, n}};
}

comm::Box with_ghosts(const comm::Box& box) {
  return comm::grown(box, {1, 1, 1}, {1, 1, 1});
}

solver::AxisCoordinates coordinates_of(const comm::Box& box) {
  solver::AxisCoordinates coordinates;
  for (int axis = 0; axis < 3; ++axis) {
    for (int n = box.lower[axis]; n < box.upper[axis]; ++n)
      coordinates[static_cast<std::size_t>(axis)].push_back(n + 0.5);
  }
  return coordinates;
}

solver::Material without_source(std::int64_t) {
  return {{1.0}, 1.0, 0.0};
}

template <class Real>
void no_source(benchmark::State& state) {
  time_cube_steps<Real>(state, without_source);
}

/// A product of factors along the axes, which the step's kernel forms.
template <class Real>
void source_moving_gaussian(benchmark::State& state) {
  const auto box = cube(static_cast<int>(state.range(0)));
  const solver::Formula formula("9*exp(-((x - 7*t)^2 + (y - 50)^2 + (z - 60)^2)/(2*20^2))", "xyzt");
  solver::VariableBounds bounds{};
  for (std::size_t axis = 0; axis < 3; ++axis) bounds[axis] = {0, largest};
  bounds[3].lower = 0;
  const solver::ProductSource<Real> source(box, with_ghosts(box), coordinates_of(with_ghosts(box)),
                                           *solver::separated(formula.code(), bounds));
  const solver::FirstFailure failure;
  double time = 0;
  time_cube_steps<Real>(state, without_source, [&](const comm::Space& space, auto& equation) {
    source.evaluate(space, time += time_step, failure);
    equation.set_source(source.view());
  });
}

/// A sum, which is evaluated in each cell.
template <class Real>
void source_in_cells(benchmark::State& state) {
  const auto box = cube(static_cast<int>(state.range(0)));
  const auto code = solver::on_device("formula", solver::Formula("2*x + sin(t*y)", "xyzt").code());
  const solver::CellwiseSource<Real> source(box, with_ghosts(box),
                                            coordinates_of(with_ghosts(box)));
  const solver::FirstFailure failure;
  double time = 0;
  const auto material = [](std::int64_t cells) {
    return solver::Material{{1.0}, 1.0, std::vector<double>(static_cast<std::size_t>(cells))};
  };
  time_cube_steps<Real>(state, material, [&](const comm::Space& space, auto& equation) {
    source.evaluate(space, code, 0, time += time_step, {.cells = with_ghosts(box)}, 0,
                    equation.changing_source(), failure);
  });
}

BENCHMARK(no_source<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();
BENCHMARK(no_source<float>)->Arg(128)->Arg(largest)->UseManualTime();
BENCHMARK(source_moving_gaussian<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();
BENCHMARK(source_moving_gaussian<float>)->Arg(128)->Arg(largest)->UseManualTime();
BENCHMARK(source_in_cells<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();

}  // namespace
}  // namespace halotherm::test
