// SPDX-License-Identifier: MIT
// The ascent is interpolation and Jacobi sweeps, in one pass over memory as sweep by sweep.
#include "solver/multigrid/ascent.hpp"

#include "tests/support/conductance_line.hpp"
#include "tests/support/separable_problem.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}
/// A single block without periodic sides has no ghost cells to exchange.
const Exchange by_sweeps = [](Field<float>&) {};

class AscentOfSize : public testing::TestWithParam<comm::Int3> {};

TEST_P(AscentOfSize, OnePassHasTheBitsOfSweeps) {
  for (const double ratio : {1.0, 5.0}) {
    SeparableProblem problem(GetParam(), ratio);
    const auto ascended = [&](const Exchange& exchange) {
      ascend(space(), problem.box, problem.ascent(), exchange, problem.x, problem.next);
      return values_of(problem.x, problem.box);
    };
    const auto swept = ascended(by_sweeps);
    EXPECT_EQ(ascended({}), swept);
    EXPECT_GT(std::abs(swept.front()), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, AscentOfSize,
                         testing::Values(comm::Int3{70, 45, 37}, comm::Int3{5, 2, 3},
                                         comm::Int3{1, 9, 130}, comm::Int3{129, 33, 8},
                                         comm::Int3{181, 131, 129}));

TEST(Ascent, SweepsAreJacobiStepsAfterTheInterpolation) {
  SeparableProblem problem({9, 6, 7}, 3);
  auto ascent = problem.ascent();
  ascend(space(), problem.box, ascent, by_sweeps, problem.x, problem.next);
  const auto result = values_of(problem.x, problem.box);
  // the same by other functions: weights of 0 leave the interpolation
  const auto weights = std::exchange(ascent.weights, Kokkos::Array<float, 3>{0, 0, 0});
  ascend(space(), problem.box, ascent, by_sweeps, problem.x, problem.next);
  for (std::size_t n = 0; n < 3; ++n) {
    sweep(space(), 3, problem.box, ascent.A, weights[n], ascent.b, std::as_const(problem.x).view(),
          problem.next.view());
    swap(problem.x, problem.next);
  }
  const auto expected = values_of(problem.x, problem.box);
  for (std::size_t n = 0; n < result.size(); ++n) EXPECT_NEAR(result[n], expected[n], 1e-5F);
}

TEST(Ascent, AddsMultiplesToTemperatures) {
  SeparableProblem problem({9, 6, 7}, 1);
  Field<double> T("T", problem.box, {0, 0, 0});
  copy_from_host<double>(std::vector<double>(9 * 6 * 7, 300), problem.box, T);
  ascend_onto<double>(space(), problem.box, problem.ascent(), {}, problem.x, problem.next, 0.5,
                      T.view());
  ascend(space(), problem.box, problem.ascent(), {}, problem.x, problem.next);
  const auto x = values_of(problem.x, problem.box);
  std::vector<double> values(x.size());
  space().fence("ascent");
  copy_to_host<double>(T, problem.box, values);
  for (std::size_t n = 0; n < x.size(); ++n)
    EXPECT_EQ(values[n], 300 + 0.5 * static_cast<double>(x[n]));
}

}  // namespace
}  // namespace halotherm::solver
