// SPDX-License-Identifier: MIT
// Vectors of conjugate gradients and their sums, however a block is passed through.
#include "solver/linear/search_direction.hpp"

#include "solver/linear/smoother.hpp"
#include "solver/linear/vectors.hpp"
#include "tests/support/stored_problem.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

/// Of the problem's b and x.
struct Direction {
  explicit Direction(const Coarsening& coarsening)
      : problem(coarsening, true),
        z(problem.b),
        p(problem.x),
        flow(zero_field(problem.grid, problem.box, "flow", StoredProblem::layers)) {
    auto values = values_of(z, problem.box);
    for (auto& value : values) value = 1 - value * value;
    set(p, problem.box, values);
    problem.wrap(p);
  }
  ProductSum set_it(const SumScale& scale) {
    return set_direction(
        space(), problem.grid, problem.box, problem.matrix.view(),
        {0.3F, std::as_const(z).view(), std::as_const(p).view(), problem.next.view(), flow.view()},
        scale);
  }
  StoredProblem problem;
  Field<float>&z, &p;
  Field<float> flow;
};

class SearchDirectionOn : public testing::TestWithParam<Coarsening> {};

TEST_P(SearchDirectionOn, IsThatOfItsParts) {
  Direction direction(GetParam());
  auto& [problem, z, p, flow] = direction;
  const SumScale scale(40);
  const auto sum = direction.set_it(scale);
  const auto next = values_of(problem.next, problem.box), before = values_of(p, problem.box),
             residual_of = values_of(z, problem.box);
  for (std::size_t n = 0; n < next.size(); ++n)
    ASSERT_EQ(next[n], residual_of[n] + 0.3F * before[n]) << n;
  // ghost cells of the next direction are valid already
  const auto flows = values_of(flow, problem.box);
  auto again = zero_field(problem.grid, problem.box, "again", StoredProblem::layers);
  auto zero = zero_field(problem.grid, problem.box, "zero", StoredProblem::layers);
  residual(space(), 3, problem.box, problem.matrix.view(), std::as_const(zero).view(),
           std::as_const(problem.next).view(), again.view());
  EXPECT_EQ(flows, values_of(again, problem.box));
  const auto expected = sum_of_products(space(), problem.box, std::as_const(problem.next).view(),
                                        std::as_const(flow).view(), scale);
  EXPECT_EQ(sum.sum.value(scale), expected.sum.value(scale));
  EXPECT_EQ(sum.largest, expected.largest);
  EXPECT_LT(sum.sum.value(scale), 0) << "the matrix is positive";
}

INSTANTIATE_TEST_SUITE_P(Blocks, SearchDirectionOn,
                         testing::Values(Coarsening{{3, {700, 45, 6}, {false, false, false}}},
                                         Coarsening{{3, {33, 17, 9}, {false, true, false}}},
                                         Coarsening{{3, {3, 4, 60}, {false, false, true}}}));

TEST(Advance, MovesBothVectorsAndSumsTheSquares) {
  const Coarsening coarsening{{3, {37, 6, 5}, {false, false, false}}};
  StoredProblem problem(coarsening, false);
  const auto& box = problem.box;
  auto &p = problem.b, &x = problem.x, &q = problem.next;
  const auto before = values_of(p, box);
  set(q, box, before);
  set(x, box, std::vector<float>(before.size(), 2));
  auto r = zero_field(problem.grid, box, "r");
  set(r, box, std::vector<float>(before.size(), 1));
  const SumScale scale(10);
  const auto sum = advance(space(), box, -0.5F, std::as_const(p).view(), std::as_const(q).view(),
                           x.view(), r.view(), scale);
  const auto xs = values_of(x, box), rs = values_of(r, box);
  for (std::size_t n = 0; n < before.size(); ++n) {
    ASSERT_EQ(xs[n], 2 + -0.5F * before[n]);
    ASSERT_EQ(rs[n], 1 + -0.5F * before[n]);
  }
  const auto squares =
      sum_of_products(space(), box, std::as_const(r).view(), std::as_const(r).view(), scale);
  EXPECT_EQ(sum.sum.value(scale), squares.sum.value(scale));
}

}  // namespace
}  // namespace halotherm::solver
