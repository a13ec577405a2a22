// SPDX-License-Identifier: MIT
// What sources and sides of position and time add to a step: halotherm_benchmarks
// --benchmark_filter='source|flux'
#include "solver/equation/changing_faces.hpp"
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

/// The upper side across z with a flux, all of whose faces change.
template <class Real>
void time_flux(benchmark::State& state, const solver::FaceQuantity& flux) {
  const auto box = cube(static_cast<int>(state.range(0)));
  const auto layer = solver::Boundary<Real>::ghost_layer(box, {2, 1});
  const solver::PartOfSide part{.layer = layer,
                                .faces = layer,
                                .coordinates = coordinates_of(layer),
                                .owners = {},
                                .h = 1,
                                .conductivity = solver::on_device("K", std::vector<double>{1})};
  const solver::ChangingFaces<Real> faces(part, {flux, {}, {}});
  const solver::FaceFindings findings;
  constexpr std::size_t upper_z = 5;
  double time = 0;
  time_cube_steps<Real>(
      state, without_source, [&](const comm::Space& space, auto&, auto& boundary) {
        if (boundary.changing_faces(upper_z).conditions == nullptr)
          boundary.set(upper_z,
                       std::vector<solver::AffineGhost>(static_cast<std::size_t>(layer.size())));
        faces.evaluate(space, time += time_step, boundary.changing_faces(upper_z), findings.view(),
                       0);
      });
}

template <class Real>
void flux_moving_gaussian(benchmark::State& state) {
  const solver::Formula formula("9*exp(-((x - 7*t)^2 + (y - 50)^2)/(2*20^2))", "xyzt");
  solver::VariableBounds bounds{};
  for (std::size_t axis = 0; axis < 3; ++axis) bounds[axis] = {0, largest};
  bounds[3].lower = 0;
  const auto factors = *solver::separated(formula.code(), bounds);
  solver::FaceQuantity flux;
  for (std::size_t axis = 0; axis < 3; ++axis)
    flux.factors[axis] = solver::on_device("factor", factors[axis]);
  time_flux<Real>(state, flux);
}

template <class Real>
void flux_in_faces(benchmark::State& state) {
  solver::FaceQuantity flux;
  flux.code = solver::on_device("formula", solver::Formula("2*x + sin(t*y)", "xyzt").code());
  time_flux<Real>(state, flux);
}

BENCHMARK(no_source<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();
BENCHMARK(no_source<float>)->Arg(128)->Arg(largest)->UseManualTime();
BENCHMARK(source_moving_gaussian<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();
BENCHMARK(source_moving_gaussian<float>)->Arg(128)->Arg(largest)->UseManualTime();
BENCHMARK(source_in_cells<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();
BENCHMARK(flux_moving_gaussian<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();
BENCHMARK(flux_in_faces<double>)->Arg(128)->Arg(192)->Arg(largest)->UseManualTime();

}  // namespace
}  // namespace halotherm::test
