// SPDX-License-Identifier: MIT
// Several steps at once against steps one by one: the same bits on every part of a block.
#include "solver/waves/apply_steps.hpp"

#include "tests/support/uneven_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halotherm::solver {
namespace {

constexpr double dt = 1e-6;

/// Which coefficients differ from cell to cell.
enum class Cells { alike, heated, conducting, of_kinds, uneven, uneven_conducting };

bool uneven(Cells cells) {
  return cells == Cells::uneven || cells == Cells::uneven_conducting;
}

Grid grid_of(int dimensions, Cells cells) {
  Grid grid{.dimensions = dimensions, .cells = {75, 66, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  if (dimensions > 2) grid.cells[2] = 37;
  if (uneven(cells)) test::make_uneven(grid);
  return grid;
}

/// A number for each cell of a box that depends on its place alone.
std::vector<double> values_of(const comm::Box& box, double mean, double change) {
  std::vector<double> values;
  for (int k = box.lower[2]; k < box.upper[2]; ++k)
    for (int j = box.lower[1]; j < box.upper[1]; ++j)
      for (int i = box.lower[0]; i < box.upper[0]; ++i)
        values.push_back(mean + change * std::sin(0.7 * i + 1.3 * j + 2.1 * k));
  return values;
}

/// One of seven numbers for each cell of a box; cells beyond a side have those beside it.
std::vector<double> kinds_of(const comm::Box& box, const comm::Int3& cells, double mean) {
  std::vector<double> values;
  const auto within = [&](int axis, int index) { return std::clamp(index, 0, cells[axis] - 1); };
  for (int k = box.lower[2]; k < box.upper[2]; ++k)
    for (int j = box.lower[1]; j < box.upper[1]; ++j)
      for (int i = box.lower[0]; i < box.upper[0]; ++i)
        values.push_back(mean * (1 + (within(0, i) / 3 + within(1, j) / 2 + within(2, k)) % 7));
  return values;
}

/// One block, and the sides of the grid that it touches.
template <class Real>
struct Block {
  Block(const Grid& the_grid, const comm::Box& owned, Cells cells, int ghosts)
      : grid(the_grid),
        equation(grid, owned, material(owned, cells, ghosts), ghosts),
        boundary(owned, touched(owned)),
        now("now", owned, grid.ghosts(ghosts)),
        next("next", owned, grid.ghosts(ghosts)) {
    const auto values = values_of(now.allocated(), 300, 50);
    copy_from_host<Real>(std::vector<Real>(values.begin(), values.end()), now.allocated(), now);
    for (std::size_t n = 0; n < boundary.sides().size(); ++n) {
      const auto [axis, end] = boundary.sides()[n];
      const AffineGhost conditions[2][3] = {{{-1, 700}, {1, 0}, {0.5, 160}},
                                            {{1, 3}, {-1, 500}, {-0.25, 400}}};
      boundary.set(n, std::span(&conditions[end][axis], 1));
    }
  }
  Material material(const comm::Box& owned, Cells cells, int ghosts) const {
    Material result{.conductivity = {2.0, 1.5, 1.25}};
    const auto all = comm::grown(owned, grid.ghosts(ghosts), grid.ghosts(ghosts));
    if (cells == Cells::conducting) result.conductivity = {values_of(all, 2, 1)};
    if (cells == Cells::uneven_conducting)
      result.conductivity = {values_of(all, 2, 1), 1.5, values_of(all, 3, 1)};
    if (cells == Cells::of_kinds) {
      result.conductivity = {kinds_of(all, grid.cells, 0.5)};
      result.volumetric_heat_capacity = kinds_of(all, grid.cells, 1.5);
      result.source = kinds_of(all, grid.cells, 1e5);
    }
    if (cells != Cells::heated) return result;
    result.volumetric_heat_capacity = values_of(all, 3, 1);
    result.source = values_of(all, 1e5, 1e5);
    return result;
  }
  std::vector<Side> touched(const comm::Box& owned) const {
    std::vector<Side> sides;
    for (int axis = 0; axis < grid.dimensions; ++axis) {
      if (owned.lower[axis] == 0) sides.push_back({axis, 0});
      if (owned.upper[axis] == grid.cells[axis]) sides.push_back({axis, 1});
    }
    return sides;
  }
  EulerStep<Real> step() const { return {equation, boundary, dt}; }
  std::vector<Real> values(const Field<Real>& field, const comm::Box& box) const {
    std::vector<Real> result(static_cast<std::size_t>(box.size()));
    copy_to_host<Real>(field, box, result);
    return result;
  }

  Grid grid;
  HeatEquation<Real> equation;
  Boundary<Real> boundary;
  Field<Real> now, next;
};

/// So many steps one by one in the whole grid.
template <class Real>
std::vector<Real> one_by_one(Block<Real>& whole, int steps, const comm::Box& part) {
  const comm::Region all(whole.now.owned());
  for (int n = 0; n < steps; ++n) {
    apply(comm::Space(), all, whole.step(), std::as_const(whole.now).view(), whole.next.view());
    comm::Space().fence("test");
    swap(whole.now, whole.next);
  }
  return whole.values(whole.now, part);
}

template <class Real>
int differences(const std::vector<Real>& a, const std::vector<Real>& b) {
  int count = 0;
  for (std::size_t n = 0; n < a.size(); ++n) count += a[n] == b[n] ? 0 : 1;
  return count;
}

using Case = std::tuple<int, Cells, int>;  // dimensions, coefficients, steps
class StepsAtOnce : public testing::TestWithParam<Case> {};

template <class Real>
void expect_equal(const Case& what, const comm::Box& owned, const std::vector<comm::Box>& boxes) {
  const auto [dimensions, cells, steps] = what;
  const auto grid = grid_of(dimensions, cells);
  Block<Real> whole(grid, {{0, 0, 0}, grid.cells}, cells, 1);
  Block<Real> block(grid, owned, cells, steps);
  if (most_steps_at_once(block.equation, block.boundary) < steps) GTEST_SKIP() << "no kernels here";
  const auto expected = one_by_one(whole, steps, owned);
  apply_steps(comm::Space(), std::span(boxes), block.step(), steps, std::as_const(block.now).view(),
              block.next.view());
  comm::Space().fence("test");
  EXPECT_EQ(differences(block.values(block.next, owned), expected), 0) << sizeof(Real);
}

TEST_P(StepsAtOnce, GiveTheBitsOfSingleSteps) {
  const auto grid = grid_of(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const comm::Box all{{0, 0, 0}, grid.cells};
  expect_equal<double>(GetParam(), all, {all});
  expect_equal<float>(GetParam(), all, {all});
}

TEST_P(StepsAtOnce, TakeGhostCellsWhereABlockHasNeighbours) {
  const auto grid = grid_of(std::get<0>(GetParam()), std::get<1>(GetParam()));
  comm::Box owned{{0, 9, 0}, grid.cells};  // sides: the lower one of x, the upper of the last axis
  owned.upper[0] = 61;
  if (grid.dimensions > 2) {
    owned.lower[2] = 8;
    owned.upper[1] = 33;
  }
  expect_equal<double>(GetParam(), owned, {owned});
  expect_equal<float>(GetParam(), owned, {owned});
}

TEST_P(StepsAtOnce, WorkInInteriorAndShell) {
  const auto grid = grid_of(std::get<0>(GetParam()), std::get<1>(GetParam()));
  const comm::Box all{{0, 0, 0}, grid.cells};
  auto interior = all;
  interior.lower = {1, 2, 0};  // thinner than a pack, too
  interior.upper[0] = 72;
  if (grid.dimensions > 2) interior.upper[2] -= 3;
  std::vector<comm::Box> boxes{interior};
  for (const auto& box : comm::difference(all, interior)) boxes.push_back(box);
  expect_equal<double>(GetParam(), all, boxes);
  expect_equal<float>(GetParam(), all, boxes);
}

/// Which depends on the device alone: elsewhere a test is skipped.
TEST(MostStepsAtOnce, GpusTakeSeveralWhereConductivityIsConstant) {
  const auto grid = grid_of(3, Cells::alike);
  const comm::Box all{{0, 0, 0}, grid.cells};
  const auto most = [&](Cells cells) {
    Block<double> block(grid, all, cells, 1);
    return most_steps_at_once(block.equation, block.boundary);
  };
  EXPECT_EQ(most(Cells::alike), comm::kernels_run_on_host ? 8 : 4);
  EXPECT_EQ(most(Cells::heated), comm::kernels_run_on_host ? 8 : 4);
  EXPECT_EQ(most(Cells::conducting), comm::kernels_run_on_host ? 8 : 1);
  EXPECT_EQ(most(Cells::of_kinds), comm::kernels_run_on_host ? 8 : 1);
}

INSTANTIATE_TEST_SUITE_P(, StepsAtOnce,
                         testing::Combine(testing::Values(2, 3),
                                          testing::Values(Cells::alike, Cells::heated,
                                                          Cells::conducting, Cells::of_kinds,
                                                          Cells::uneven, Cells::uneven_conducting),
                                          testing::Values(1, 2, 3, 4, 7)));

}  // namespace
}  // namespace halotherm::solver
