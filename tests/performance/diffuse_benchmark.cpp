// SPDX-License-Identifier: MIT
// The solver's step, to stand beside the baselines in one run.
#include "comm/device/for_each_cell.hpp"
#include "tests/performance/cube_steps.hpp"

#include <cmath>

namespace halotherm::test {
namespace {

template <class Real>
void diffuse_uniform(benchmark::State& state) {
  time_cube_steps<Real>(state, [](std::int64_t) { return solver::Material{{1.0}, 1.0, 0.0}; });
}

/// With so many rows and planes a thread, to choose `tile_for` by.
template <class Real>
void diffuse_tile(benchmark::State& state) {
  const comm::Tile tile{.rows = static_cast<int>(state.range(1)),
                        .planes = static_cast<int>(state.range(2))};
  time_cube_steps<Real>(
      state,
      [](std::int64_t) {
        return solver::Material{{1.0}, 1.0, 0.0};
      },
      NothingBeforeSteps(), even_cube, Pattern(), tile);
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

/// Waves of 80 K, as smooth as temperatures are.
template <class Real>
struct WaveOfCell {
  comm::GridView<Real> field;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    constexpr double per_cell = 1.0 / 512;
    field(i, j, k) =
        static_cast<Real>(340 + 40 * Kokkos::sin(9 * per_cell * i) * Kokkos::cos(7 * per_cell * j) *
                                    Kokkos::sin(5 * per_cell * k));
  }
};
struct Waves {
  template <class Real>
  void operator()(solver::Field<Real>& field) const {
    comm::for_each_cell(comm::Space(), "waves", field.allocated(), WaveOfCell<Real>{field.view()});
  }
};

/// One material with K(T) and constant rho c, or two in cubes of 64 cells.
template <int Materials>
solver::TabulatedMaterial in_cubes(std::int64_t cells) {
  solver::TabulatedMaterial material{{tabulated(1), tabulated(20)}, {}, 0.0};
  material.materials.resize(Materials);
  for (auto& one : material.materials) one.volumetric_heat_capacity = {{0, 1.6}};
  if (Materials == 1) return material;
  const auto edge = std::llround(std::cbrt(static_cast<double>(cells)));
  for (std::int64_t n = 0; n < cells; ++n) {
    const auto i = n % edge, j = n / edge % edge, k = n / (edge * edge);
    material.of_cell.push_back(static_cast<std::uint8_t>((i / 64 + j / 64 + k / 64) % 2));
  }
  return material;
}

template <class Real, int Materials>
void diffuse_waves(benchmark::State& state) {
  time_cube_steps<Real>(state, in_cubes<Materials>, NothingBeforeSteps(), even_cube, Waves());
}
template <class Real, int Materials>
void diffuse_uneven_waves(benchmark::State& state) {
  time_cube_steps<Real>(state, in_cubes<Materials>, NothingBeforeSteps(), uneven_cube, Waves());
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
BENCHMARK(diffuse_tile<double>)
    ->ArgsProduct({{192, 256, 320, 400, 512}, {1, 2}, {2, 3, 4, 6, 8}})
    ->UseManualTime();
BENCHMARK(diffuse_uneven<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_varying<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_varying<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven_varying<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven_varying<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_tables<double>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_tables<float>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_waves<double, 1>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_waves<float, 1>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_waves<double, 2>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven_waves<double, 1>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_uneven_waves<double, 2>)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(diffuse_two_materials<double>)->Arg(128)->Arg(512)->UseManualTime();

}  // namespace
}  // namespace halotherm::test
