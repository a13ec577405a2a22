// SPDX-License-Identifier: MIT
// The kernels of a multigrid cycle: halotherm_benchmarks --benchmark_filter=cycle
#include "solver/linear/vectors.hpp"
#include "solver/multigrid/restriction.hpp"
#include "tests/performance/timed.hpp"
#include "tests/support/separable_problem.hpp"

namespace halotherm::test {
namespace {

using solver::SeparableProblem;

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

/// `bytes`: that a cell needs at least.
void report(benchmark::State& state, const SeparableProblem& problem, double batch, double bytes) {
  const double cells = static_cast<double>(problem.box.size()) * batch;
  state.counters["GCells/s"] =
      benchmark::Counter(1e-9 * cells, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["GB/s"] =
      benchmark::Counter(1e-9 * bytes * cells, benchmark::Counter::kIsIterationInvariantRate);
}

comm::Int3 cube(const benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  return {n, n, n};
}

void cycle_ascent(benchmark::State& state) {
  SeparableProblem problem(cube(state), 1);
  constexpr int batch = 10;
  time_batches(state, space(), batch, [&] {
    solver::ascend(space(), problem.box, problem.ascent(), {}, problem.x, problem.next);
  });
  report(state, problem, batch, 8.5);
}

void cycle_ascent_by_sweeps(benchmark::State& state) {
  SeparableProblem problem(cube(state), 1);
  constexpr int batch = 10;
  time_batches(state, space(), batch, [&] {
    solver::ascend(
        space(), problem.box, problem.ascent(), [](solver::Field<float>&) {}, problem.x,
        problem.next);
  });
  report(state, problem, batch, 40.5);
}

void cycle_ascent_onto(benchmark::State& state) {
  SeparableProblem problem(cube(state), 1);
  solver::Field<double> T("T", problem.box, {1, 1, 1});
  solver::fill_with_pattern(T);
  constexpr int batch = 10;
  time_batches(state, space(), batch, [&] {
    solver::ascend_onto<double>(space(), problem.box, problem.ascent(), {}, problem.x, problem.next,
                                1e-9, T.view());
  });
  report(state, problem, batch, 20.5);
}

void cycle_restriction(benchmark::State& state) {
  SeparableProblem problem(cube(state), 1);
  constexpr int batch = 10;
  time_batches(state, space(), batch, [&] {
    solver::restrict_to(space(), problem.coarsening, problem.coarse_box,
                        std::as_const(problem.b).view(), problem.coarse_x.view());
  });
  report(state, problem, batch, 4.5);
}

void cycle_restriction_and_sum(benchmark::State& state) {
  SeparableProblem problem(cube(state), 1);
  const solver::SumScale scale(8);
  time_batches(state, space(), 1, [&] {
    benchmark::DoNotOptimize(
        solver::restrict_and_sum(space(), problem.coarsening, problem.coarse_box,
                                 std::as_const(problem.b).view(), problem.coarse_x.view(), scale)
            .largest);
  });
  report(state, problem, 1, 4.5);
}

void cycle_products(benchmark::State& state) {
  SeparableProblem problem(cube(state), 1);
  const solver::SumScale scale(8);
  time_batches(state, space(), 1, [&] {
    const auto b = std::as_const(problem.b).view();
    benchmark::DoNotOptimize(solver::sum_of_products(space(), problem.box, b, b, scale).largest);
  });
  report(state, problem, 1, 4);
}

BENCHMARK(cycle_ascent)->Arg(16)->Arg(32)->Arg(64)->Arg(128)->Arg(256)->Arg(512)->UseManualTime();
BENCHMARK(cycle_ascent_by_sweeps)->Arg(16)->Arg(32)->Arg(64)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(cycle_ascent_onto)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(cycle_restriction)->Arg(32)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(cycle_restriction_and_sum)->Arg(32)->Arg(128)->Arg(512)->UseManualTime();
BENCHMARK(cycle_products)->Arg(128)->Arg(512)->UseManualTime();

}  // namespace
}  // namespace halotherm::test
