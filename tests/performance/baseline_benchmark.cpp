// SPDX-License-Identifier: MIT
// The straightforward steps, on cubes of n³ cells; bytes/s count one value read and one written a
// cell. Each is checked against the exact answer for a quadratic temperature before it is timed: a
// step that left out cells would be fast.
#include "comm/device/for_each_cell.hpp"
#include "solver/field/field.hpp"
#include "tests/performance/baseline.hpp"
#include "tests/performance/timed.hpp"

#include <string>
#include <utility>

namespace halotherm::test {

namespace {

/// c and K/h² are below the stability bound, and powers of two, so that the check is exact in both
/// precisions.
template <class Real>
constexpr baseline::Coefficients<Real> coefficients{Real(0.25), Real(1), Real(0.5), Real(0.25)};

template <class Real>
struct Quadratic {
  comm::GridView<Real> T;
  KOKKOS_INLINE_FUNCTION static Real at(int i, int j, int k) {
    return static_cast<Real>(i * i + 2 * j * j + 4 * k * k);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const { T(i, j, k) = at(i, j, k); }
};

/// Counts the cells that a step from Quadratic has not raised by c (2 gx + 4 gy + 8 gz) = 1.5.
template <class Real>
struct IsWrong {
  comm::GridView<const Real> T;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k, std::int64_t& wrong) const {
    wrong += T(i, j, k) == Quadratic<Real>::at(i, j, k) + Real(1.5) ? 0 : 1;
  }
};

/// Two fields of n³ cells and a layer of ghost cells, both filled.
template <class Real>
struct Cube {
  comm::Box box;
  solver::Field<Real> temperature{"T", box, {1, 1, 1}};
  solver::Field<Real> next{"next", box, {1, 1, 1}};

  Cube(const comm::Space& space, int n) : box{{0, 0, 0}, {n, n, n}} {
    for (auto* field : {&temperature, &next}) {
      comm::for_each_cell(space, "set", field->allocated(), Quadratic<Real>{field->view()});
    }
  }

  template <class Step>
  void advance(const comm::Space& space, const Step& step) {
    step(space, box, std::as_const(temperature).view(), next.view(), coefficients<Real>);
    swap(temperature, next);
  }

  std::int64_t wrong_cells(const comm::Space& space) const {
    const Kokkos::MDRangePolicy<comm::Space, Kokkos::Rank<3>> policy(
        space, {0, 0, 0}, {box.extent(0), box.extent(1), box.extent(2)});
    std::int64_t wrong = 0;
    Kokkos::parallel_reduce("check", policy, IsWrong<Real>{temperature.view()}, wrong);
    space.fence("check");
    return wrong;
  }
};

template <class Real, class Step>
void time_step(benchmark::State& state, const Step& step) {
  const comm::Space space;
  Cube<Real> cube(space, static_cast<int>(state.range(0)));
  cube.advance(space, step);
  if (cube.wrong_cells(space) > 0) return state.SkipWithError("the step's result is wrong");
  const std::int64_t cells = cube.box.size();
  const std::int64_t batch = (std::int64_t{1} << 27) / cells;
  const double seconds = time_batches(state, space, batch, [&] { cube.advance(space, step); });
  const std::int64_t steps = state.iterations() * batch;
  state.SetBytesProcessed(steps * cells * 2 * static_cast<std::int64_t>(sizeof(Real)));
  state.counters["GCells/s"] = 1e-9 * static_cast<double>(steps * cells) / seconds;
}

template <class Real, class Step>
void add(const std::string& name, const Step& step) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [step](benchmark::State& state) { time_step<Real>(state, step); })
      ->ArgName("n")
      ->Arg(128)
      ->Arg(256)
      ->Arg(512)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

template <class Real>
bool add_all(const std::string& precision) {
  add<Real>("plain_mdrange/" + precision, baseline::plain_mdrange<Real>);
  add<Real>("tiled_mdrange/" + precision, baseline::tiled_mdrange<Real>);
  if constexpr (comm::kernels_run_on_host) {
    const auto without_space = [](auto step) {
      return [step](const comm::Space&, const auto&... rest) { step(rest...); };
    };
    add<Real>("triple_loop/" + precision, without_space(baseline::triple_loop<Real>));
    add<Real>("parallel_triple_loop/" + precision,
              without_space(baseline::parallel_triple_loop<Real>));
  }
  return true;
}

[[maybe_unused]] const bool added = add_all<double>("float64") && add_all<float>("float32");

}  // namespace

}  // namespace halotherm::test
