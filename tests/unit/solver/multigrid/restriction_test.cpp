// SPDX-License-Identifier: MIT
// Sums of joined cells and of their squares: one answer, however the block is cut.
#include "solver/multigrid/restriction.hpp"

#include "solver/linear/vectors.hpp"
#include "tests/support/conductance_line.hpp"
#include "tests/support/joined_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

struct Joined {
  explicit Joined(const Coarsening& the_coarsening)
      : coarsening(the_coarsening),
        box{{0, 0, 0}, coarsening.fine.cells},
        coarse_box{{0, 0, 0}, coarsening.coarse().cells},
        fine(zero_field(coarsening.fine, box, "fine", 1)),
        coarse(zero_field(coarsening.coarse(), coarse_box, "coarse", 1)) {
    std::vector<float> values(static_cast<std::size_t>(box.size()));
    for (std::size_t n = 0; n < values.size(); ++n)
      values[n] = std::sin(0.7F * static_cast<float>(n % 1013));
    set(fine, box, values);
  }
  ProductSum restrict_part(const comm::Box& part, const SumScale& scale) {
    return restrict_and_sum(space(), coarsening, part, std::as_const(fine).view(), coarse.view(),
                            scale);
  }
  Coarsening coarsening;
  comm::Box box, coarse_box;
  Field<float> fine, coarse;
};

class Restriction : public testing::TestWithParam<JoinedCells> {};

TEST_P(Restriction, SumsJoinedCellsAndAllSquares) {
  Joined joined(GetParam());
  const SumScale scale(4);
  const auto result = joined.restrict_part(joined.coarse_box, scale);
  const auto sums = values_of(joined.coarse, joined.coarse_box);
  const auto b = std::as_const(joined.fine).view();
  const auto squares = sum_of_products(space(), joined.box, b, b, scale);
  EXPECT_NEAR(result.sum.value(scale), squares.sum.value(scale), 1e-14 * squares.sum.value(scale));
  restrict_to(space(), joined.coarsening, joined.coarse_box, b, joined.coarse.view());
  const auto expected = values_of(joined.coarse, joined.coarse_box);
  for (std::size_t n = 0; n < sums.size(); ++n) EXPECT_NEAR(sums[n], expected[n], 1e-5F) << n;
}

TEST_P(Restriction, DoesNotDependOnHowTheBlockIsCut) {
  Joined joined(GetParam());
  const SumScale scale(4);
  const auto whole = joined.restrict_part(joined.coarse_box, scale);
  const auto sums = values_of(joined.coarse, joined.coarse_box);
  auto lower = joined.coarse_box, upper = joined.coarse_box;
  lower.upper[0] = upper.lower[0] = joined.coarse_box.upper[0] / 3;
  auto parts = joined.restrict_part(lower, scale).sum;
  parts += joined.restrict_part(upper, scale).sum;
  EXPECT_EQ(parts.value(scale), whole.sum.value(scale));
  EXPECT_EQ(values_of(joined.coarse, joined.coarse_box), sums);
}

LevelGrid grid_of(const comm::Int3& cells) {
  return {3, cells, {false, false, false}};
}
INSTANTIATE_TEST_SUITE_P(
    Coarsenings, Restriction,
    testing::Values(
        JoinedCells{grid_of({700, 6, 4}), {2, 2, 2}}, JoinedCells{grid_of({35, 9, 7}), {2, 2, 2}},
        JoinedCells{grid_of({35, 9, 7}), {2, 2, 2}, {true, true, true}},
        JoinedCells{grid_of({33, 5, 6}), {1, 2, 1}},
        JoinedCells{grid_of({1, 7, 3}), {1, 2, 2}, {false, true, false}},
        JoinedCells{grid_of({33, 6, 7}), {1, 1, 2}, {}, {pairs_among(33), {0, 2, 4, 5, 6}, {}}}));

TEST(Restriction, ReportsSquaresThatDoNotFitTheScale) {
  Joined joined(Coarsening{grid_of({20, 4, 4}), {2, 2, 2}});
  EXPECT_GT(joined.restrict_part(joined.coarse_box, SumScale(-3)).largest, 0.125);
  set(joined.fine, {{7, 1, 1}, {8, 2, 2}}, {INFINITY});
  EXPECT_TRUE(std::isinf(joined.restrict_part(joined.coarse_box, SumScale(4)).largest));
}

}  // namespace
}  // namespace halotherm::solver
