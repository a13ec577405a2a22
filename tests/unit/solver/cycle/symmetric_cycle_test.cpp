// SPDX-License-Identifier: MIT
// Both ways of a symmetric cycle in one pass over memory have the bits of sweep by sweep.
#include "solver/cycle/symmetric_cycle.hpp"

#include "solver/linear/vectors.hpp"
#include "tests/support/joined_cells.hpp"
#include "tests/support/stored_problem.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

struct Problem {
  JoinedCells coarsening;
  bool anchored;
};

class SymmetricCycleOf : public testing::TestWithParam<Problem> {
 protected:
  SymmetricCycleOf() : problem(GetParam().coarsening, GetParam().anchored) {}
  std::vector<float> x() const { return values_of(problem.x, problem.box); }
  std::vector<float> coarse_b() const { return values_of(problem.coarse_b, problem.coarse_box); }

  StoredProblem problem;
  Exchange wrap = [this](Field<float>& field) { problem.wrap(field); };
};

TEST_P(SymmetricCycleOf, OnePassHasTheBitsOfSweeps) {
  if (!comm::kernels_run_on_host) GTEST_SKIP() << "GPUs have no such pass";
  descend(space(), problem.cycle(wrap), problem.x, problem.next, problem.coarse_b.view());
  const auto expected_x = x();
  const auto expected_b = coarse_b();
  EXPECT_GT(std::abs(expected_b.back()), 0);
  set(problem.x, problem.box, std::vector<float>(expected_x.size(), 7));
  set(problem.coarse_b, problem.coarse_box, std::vector<float>(expected_b.size(), 7));
  descend(space(), problem.cycle({}), problem.x, problem.next, problem.coarse_b.view());
  EXPECT_EQ(x(), expected_x);
  EXPECT_EQ(coarse_b(), expected_b);

  const auto coarse_x = std::as_const(problem.coarse_x).view();
  ascend(space(), problem.cycle(wrap), coarse_x, problem.x, problem.next);
  const auto corrected = x();
  EXPECT_NE(corrected, expected_x);
  set(problem.x, problem.box, expected_x);
  problem.wrap(problem.x);
  ascend(space(), problem.cycle({}), coarse_x, problem.x, problem.next);
  EXPECT_EQ(x(), corrected);
}

TEST_P(SymmetricCycleOf, SumsAreThoseOfTheResult) {
  descend(space(), problem.cycle(wrap), problem.x, problem.next, problem.coarse_b.view());
  problem.wrap(problem.x);
  const SumScale scale(30);
  const auto sum =
      ascend_and_sum(space(), problem.cycle(comm::kernels_run_on_host ? Exchange() : wrap),
                     std::as_const(problem.coarse_x).view(), problem.x, problem.next, scale);
  const auto expected = sum_of_products(space(), problem.box, std::as_const(problem.b).view(),
                                        std::as_const(problem.x).view(), scale);
  EXPECT_EQ(sum.sum.value(scale), expected.sum.value(scale));
  EXPECT_EQ(sum.largest, expected.largest);
  EXPECT_GT(std::abs(sum.sum.value(scale)), 0);
}

TEST_P(SymmetricCycleOf, IsSymmetric) {
  // of b and c, the sums b · M c and c · M b are equal, M being both ways with no coarse level
  const auto solved = [&](Field<float>& b) {
    auto cycle = problem.cycle(wrap);
    cycle.b = std::as_const(b).view();
    descend(space(), cycle, problem.x, problem.next, problem.coarse_b.view());
    set(problem.coarse_x, problem.coarse_box,
        std::vector<float>(static_cast<std::size_t>(problem.coarse_box.size()), 0));
    problem.wrap(problem.coarse_x);
    ascend(space(), cycle, std::as_const(problem.coarse_x).view(), problem.x, problem.next);
    return x();
  };
  auto c = zero_field(problem.grid, problem.box, "c", StoredProblem::layers);
  auto values = values_of(problem.b, problem.box);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] *= static_cast<float>(n % 5) - 1.5F;
  set(c, problem.box, values);
  problem.wrap(c);
  const auto dot = [&](const std::vector<float>& one, const std::vector<float>& other) {
    double sum = 0;
    for (std::size_t n = 0; n < one.size(); ++n)
      sum += static_cast<double>(one[n]) * static_cast<double>(other[n]);
    return sum;
  };
  const auto of_b = solved(problem.b), of_c = solved(c);
  const double one = dot(of_b, values), other = dot(of_c, values_of(problem.b, problem.box));
  EXPECT_NEAR(one, other, 1e-5 * (std::abs(dot(of_b, values_of(problem.b, problem.box))) + 1));
}

JoinedCells joined(const comm::Int3& cells, const comm::Int3& factors,
                   const comm::Periodic& periodic = {false, false, false}) {
  return {{3, cells, periodic}, factors};
}
JoinedCells partly_joined(const comm::Int3& cells, const comm::Periodic& periodic) {
  return {{3, cells, periodic},
          {1, 1, 1},
          {},
          {pairs_among(cells[0]), pairs_among(cells[1]), pairs_among(cells[2])}};
}
INSTANTIATE_TEST_SUITE_P(
    Problems, SymmetricCycleOf,
    testing::Values(Problem{joined({400, 45, 6}, {2, 2, 2}), false},  // several strips
                    Problem{joined({33, 17, 9}, {2, 2, 2}), true},
                    Problem{joined({33, 50, 8}, {1, 2, 1}), true},
                    Problem{joined({5, 4, 30}, {2, 1, 2}), false},
                    Problem{joined({24, 40, 8}, {2, 2, 2}, {false, true, false}), false},
                    Problem{joined({24, 7, 8}, {2, 2, 2}, {false, true, false}), true},
                    Problem{joined({9, 12, 40}, {1, 2, 2}, {true, false, false}), false},
                    Problem{joined({9, 12, 11}, {2, 2, 2}, {false, false, true}), false},
                    Problem{partly_joined({33, 45, 8}, {false, false, false}), true},
                    Problem{partly_joined({12, 14, 9}, {false, true, false}), false},
                    Problem{partly_joined({12, 14, 9}, {false, false, true}), false}));

}  // namespace
}  // namespace halotherm::solver
