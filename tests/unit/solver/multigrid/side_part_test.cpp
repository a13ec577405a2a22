// SPDX-License-Identifier: MIT
// What cells have from beyond their sides, and what is left for the coarser levels.
#include "solver/multigrid/side_part.hpp"

#include "solver/linear/smoother.hpp"
#include "solver/multigrid/joining.hpp"
#include "solver/multigrid/restriction.hpp"
#include "tests/support/conductance_line.hpp"
#include "tests/support/separable_problem.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

/// Eight cells of width 1 between two fixed temperatures, and the four that join them.
struct Rod {
  static constexpr float first = 3, last = 11;

  Rod() {
    set(b, box, {2 * first, 0, 0, 0, 0, 0, 0, 2 * last});
    take_out(space(), box, {coarsening, fine.view(), interpolation}, b, scratch, part.view());
    restrict_to(space(), coarsening, coarse_box, std::as_const(b).view(), coarse_b.view());
  }
  static constexpr float temperature(float place) { return first + (last - first) * place / 8; }

  LevelGrid grid{1, {8, 1, 1}, {false, false, false}};
  comm::Box box{{0, 0, 0}, {8, 1, 1}}, coarse_box{{0, 0, 0}, {4, 1, 1}};
  AxisFactors along{{2, 1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, 1};
  AxisFactors none{{0, 0}, {1}, 0};
  SeparableMatrix fine{grid, {along, none, none}, 0};
  Coarsening coarsening = joining_of(grid, fine).coarsening;
  SeparableMatrix coarse = coarsened(coarsening, fine);
  Interpolation interpolation{coarsening, fine, coarse, 1};
  Field<float> b = zero_field(grid, box, "b", 1), scratch = zero_field(grid, box, "scratch", 1),
               part = zero_field(grid, box, "part", 1),
               coarse_b = zero_field(coarsening.coarse(), coarse_box, "coarse b", 1);
};

TEST(SidePart, LeavesTheCoarseProblemOfTheSameTemperatures) {
  Rod rod;
  const auto left = values_of(rod.coarse_b, rod.coarse_box);
  EXPECT_EQ(left, (std::vector{Rod::first, 0.0F, 0.0F, Rod::last})) << "its sides conduct 1";
}

TEST(SidePart, IsWhatInterpolatedCoarseTemperaturesLack) {
  Rod rod;
  auto x = zero_field(rod.grid, rod.box, "x", 3), next = zero_field(rod.grid, rod.box, "next", 3);
  auto coarse_x = zero_field(rod.coarsening.coarse(), rod.coarse_box, "coarse x", 3);
  set(coarse_x, rod.coarse_box,
      {Rod::temperature(1), Rod::temperature(3), Rod::temperature(5), Rod::temperature(7)});
  const Ascent ascent{rod.grid,
                      rod.fine.view(),
                      rod.interpolation.view(),
                      {0, 0, 0},
                      std::as_const(rod.b).view(),
                      std::as_const(coarse_x).view()};
  ascend(
      space(), rod.box, ascent, [](Field<float>&) {}, x, next);
  put_back(space(), rod.box, rod.grid, std::as_const(rod.part).view(), x.view());
  const auto whole = values_of(x, rod.box);
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FLOAT_EQ(whole[n], Rod::temperature(static_cast<float>(n) + 0.5F)) << n;
}

class SidePartOf : public testing::TestWithParam<comm::Int3> {};

TEST_P(SidePartOf, TakesOutOfBWhatItsTemperaturesConduct) {
  SeparableProblem problem(GetParam(), 3);
  const auto before = values_of(problem.b, problem.box);
  auto part = zero_field(problem.grid, problem.box, "part", 1);
  take_out(space(), problem.box, {problem.coarsening, problem.fine.view(), problem.interpolation},
           problem.b, problem.next, part.view());
  const auto after = values_of(problem.b, problem.box);
  set(problem.b, problem.box, before);
  residual(space(), 3, problem.box, problem.fine.view(), std::as_const(problem.b).view(),
           std::as_const(part).view(), problem.x.view());
  const auto expected = values_of(problem.x, problem.box);
  EXPECT_NE(after, before);
  for (std::size_t n = 0; n < after.size(); ++n) EXPECT_NEAR(after[n], expected[n], 1e-6F) << n;
}

TEST_P(SidePartOf, GoesOntoTemperaturesByParts) {
  SeparableProblem problem(GetParam(), 1), other(GetParam(), 1);
  const SidePart part(problem.coarsening, problem.fine.view(), problem.interpolation);
  auto whole = zero_field(problem.grid, problem.box, "whole", 1);
  take_out(space(), problem.box, part, problem.b, problem.next, whole.view());
  Field<double> T("T", problem.box, {0, 0, 0});
  copy_from_host<double>(std::vector<double>(static_cast<std::size_t>(problem.box.size()), 300),
                         problem.box, T);
  // blocks, of which each reads the other's b as ghost cells: what it was
  auto lower = problem.box, upper = problem.box;
  lower.upper[0] = upper.lower[0] = (problem.box.upper[0] + 1) / 2;
  const auto b = values_of(other.b, problem.box);
  auto copy = zero_field(problem.grid, problem.box, "copy", Ascent::sweeps);
  set(copy, problem.box, b);
  take_out_onto<double>(space(), lower, part, other.b, other.next, 0.5, T.view());
  take_out_onto<double>(space(), upper, part, copy, other.next, 0.5, T.view());
  std::vector<double> result(b.size());
  space().fence("test");
  copy_to_host<double>(T, problem.box, result);
  const auto parts = values_of(whole, problem.box);
  for (std::size_t n = 0; n < result.size(); ++n)
    EXPECT_EQ(result[n], 300 + 0.5 * static_cast<double>(parts[n])) << n;
}

INSTANTIATE_TEST_SUITE_P(Sizes, SidePartOf,
                         testing::Values(comm::Int3{9, 6, 7}, comm::Int3{1, 5, 8},
                                         comm::Int3{12, 2, 3}));

}  // namespace
}  // namespace halotherm::solver
