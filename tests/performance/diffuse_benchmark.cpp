// SPDX-License-Identifier: MIT
// The solver's step, to stand beside the baselines in one run.
#include "tests/performance/cube_steps.hpp"

namespace halotherm::test {
namespace {

template <class Real>
void diffuse_uniform(benchmark::State& state) {
  time_cube_steps<Real>(state, [](std::int64_t) { return solver::Material{{1.0}, 1.0, 0.0}; });
}

template <class Real>
void diffuse_uneven(benchmark::State& state) {
  time_cube_steps<Real>(
      state,
      [](std::int64_t) {
        return solver::Material{{1.0}, 1.0, 0.0};
      },
      NothingBeforeSteps(), uneven_cube);
}

/// K from cell to cell.
solver::Material varying(std::int64_t cells) {
  std::vector<double> K;
  for (std::int64_t n = 0; n < cells; ++n) K.push_back(1 + 0.001 * static_cast<double>(n % 777));
  return {{std::move(K)}, 1.0, 0.0};
}
template <class Real>
void diffuse_varying(benchmark::State& state) {
  time_cube_steps<Real>(state, varying);
}
template <class Real>
void diffuse_uneven_varying(benchmark::State& state) {
  time_cube_steps<Real>(state, varying, NothingBeforeSteps(), uneven_cube);
}

/// K falls with the temperature by a table, rho c rises.
solver::MaterialTables tabulated(double factor) {
  return {{{{300, factor * 1.48}, {333, factor * 1.2}, {400, factor * 0.99}, {500, factor * 0.76}}},
          {{300, 1.6}, {500, 1.9}}};
}

template <class Real>
void diffuse_tables(benchmark::State& state) {
  time_cube_steps<Real>(state, [](std::int64_t) {
    return solver::TabulatedMaterial{{tabulated(1)}, {}, 0.0};
  });
}

/// Two materials in layers of some thousand cells.
template <class Real>
void diffuse_two_materials(benchmark::State& state) {
  time_cube_steps<Real>(state, [](std::int64_t cells) {
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
