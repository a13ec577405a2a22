// SPDX-License-Identifier: MIT
// A residual that is rounded and restricted while it is computed: the bits of one after the other.
#include "solver/multigrid/residual_restriction.hpp"

#include "solver/kernels/apply.hpp"
#include "solver/multigrid/restriction.hpp"
#include "tests/support/uneven_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace halotherm::solver {
namespace {

struct Block {
  comm::Int3 cells;
  comm::Box owned;
  bool uneven = false;
  bool heated = false;  ///< by a source that differs from cell to cell
  double rate = 0;
};

Grid grid_of(const Block& block) {
  Grid grid{.dimensions = 3, .cells = block.cells, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  if (block.uneven) test::make_uneven(grid);
  return grid;
}

/// A number for each cell of a box that depends on its place alone.
template <class Real = double>
std::vector<Real> values_of(const comm::Box& box, double mean, double change) {
  std::vector<Real> values;
  for (int k = box.lower[2]; k < box.upper[2]; ++k)
    for (int j = box.lower[1]; j < box.upper[1]; ++j)
      for (int i = box.lower[0]; i < box.upper[0]; ++i)
        values.push_back(static_cast<Real>(mean + change * std::sin(0.7 * i + 1.3 * j + 2.1 * k)));
  return values;
}

Coarsening coarsening_of(const Block& block) {
  return {{3, block.cells}, {2, 2, 2}};
}

/// The coarse cells of the block.
comm::Box joined(const Block& block) {
  const auto coarsening = coarsening_of(block);
  comm::Box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = coarsening.parent(axis, block.owned.lower[axis]);
    box.upper[axis] = coarsening.parent(axis, block.owned.upper[axis] - 1) + 1;
  }
  return box;
}

Material material_of(const Block& block, const Grid& grid) {
  Material material{.conductivity = {2.0, 1.5, 1.25}, .volumetric_heat_capacity = 3.5};
  const auto all = comm::grown(block.owned, grid.ghosts(1), grid.ghosts(1));
  if (block.heated) material.source = values_of(all, 1e5, 1e5);
  return material;
}

std::vector<Side> touched(const Block& block, int dimensions) {
  std::vector<Side> sides;
  for (int axis = 0; axis < dimensions; ++axis) {
    if (block.owned.lower[axis] == 0) sides.push_back({axis, 0});
    if (block.owned.upper[axis] == block.cells[axis]) sides.push_back({axis, 1});
  }
  return sides;
}

template <class Real>
struct Case {
  explicit Case(const Block& the_block)
      : block(the_block),
        grid(grid_of(block)),
        equation(grid, block.owned, material_of(block, grid)),
        boundary(block.owned, touched(block, grid.dimensions)),
        T("T", block.owned, grid.ghosts(1)),
        target("target", block.owned, grid.ghosts(1)),
        residual("residual", block.owned, grid.ghosts(1)) {
    copy_from_host<Real>(values_of<Real>(T.allocated(), 300, 50), T.allocated(), T);
    copy_from_host<Real>(values_of<Real>(block.owned, 310, 30), block.owned, target);
    for (std::size_t n = 0; n < boundary.sides().size(); ++n) {
      const auto [axis, end] = boundary.sides()[n];
      const auto faces = Boundary<Real>::inner_layer(block.owned, boundary.sides()[n]).size();
      std::vector<AffineGhost> conditions(1, {end == 0 ? -1.0 : 0.5, 600.0 - 100 * axis});
      if (axis == 1 && end == 0) {  // a condition of its own for each cell
        conditions.resize(static_cast<std::size_t>(faces));
        for (std::size_t c = 0; c < conditions.size(); ++c)
          conditions[c] = {-0.01 * static_cast<double>(c % 90), 300.0 + static_cast<double>(c % 7)};
      }
      boundary.set(n, conditions);
    }
  }

  /// What one of the two ways leaves in the fields, and its sum.
  struct Result {
    std::vector<float> fine, coarse;
    double squares, largest;
  };
  template <class Way>
  Result result(const Way& way) const {
    const LevelGrid level{grid.dimensions, block.cells};
    auto fine = zero_field(level, block.owned, "fine", 3);
    auto coarse = zero_field(coarsening_of(block).coarse(), joined(block), "coarse", 1);
    const SumScale scale(60);
    const ProductSum sum = way(fine.view(), coarse.view(), scale);
    Result result{std::vector<float>(static_cast<std::size_t>(block.owned.size())),
                  std::vector<float>(static_cast<std::size_t>(joined(block).size())),
                  sum.sum.value(scale), sum.largest};
    copy_to_host<float>(fine, block.owned, result.fine);
    copy_to_host<float>(coarse, joined(block), result.coarse);
    return result;
  }
  StepMass<Real> mass() const { return {equation.heat_content(), block.rate, target.view()}; }
  Rounding<Real> rounding() const { return {equation, 1.0 / 1024}; }

  Result one_after_the_other() {
    const comm::Space space;
    const auto at = std::as_const(T).view();
    apply(space, comm::Region(block.owned), Residual<Real>{equation, boundary}, at,
          residual.view());
    if (block.rate > 0) add_mass(space, block.owned, mass(), at, residual.view());
    return result([&](const auto& fine, const auto& coarse, const SumScale& scale) {
      const Rounded<Real> rounded{rounding(), std::as_const(residual).view()};
      return round_restrict_and_sum(space, coarsening_of(block), joined(block), rounded, fine,
                                    coarse, scale);
    });
  }
  Result at_once() const {
    return result([&](const auto& fine, const auto& coarse, const SumScale& scale) {
      return round_restrict_and_sum(
          comm::Space(), block.owned,
          RoundedResidual<Real>{equation, boundary, T.view(), mass(), rounding()}, fine, coarse,
          scale);
    });
  }

  Block block;
  Grid grid;
  HeatEquation<Real> equation;
  Boundary<Real> boundary;
  Field<Real> T, target, residual;
};

class ResidualRestriction : public testing::TestWithParam<Block> {};

template <class Real>
void expect_equal(const Block& block) {
  Case<Real> one(block);
  if (!restricts_residuals(one.equation, coarsening_of(block), block.owned))
    GTEST_SKIP() << "on GPUs only";
  const auto expected = one.one_after_the_other(), found = one.at_once();
  EXPECT_GT(expected.squares, 0);
  EXPECT_EQ(found.squares, expected.squares);
  EXPECT_EQ(found.largest, expected.largest);
  EXPECT_EQ(found.fine, expected.fine);
  EXPECT_EQ(found.coarse, expected.coarse);
}

TEST_P(ResidualRestriction, HasTheBitsOfOneAfterTheOther) {
  expect_equal<double>(GetParam());
  expect_equal<float>(GetParam());
}

Block whole(const comm::Int3& cells) {
  return {cells, {{0, 0, 0}, cells}};
}
Block with(Block block, bool uneven, bool heated, double rate) {
  block.uneven = uneven;
  block.heated = heated;
  block.rate = rate;
  return block;
}
INSTANTIATE_TEST_SUITE_P(
    Blocks, ResidualRestriction,
    testing::Values(whole({74, 30, 36}), with(whole({70, 22, 34}), false, true, 20),
                    with(whole({34, 38, 20}), true, true, 0),
                    with(whole({66, 4, 2}), true, false, 7),
                    Block{{74, 30, 36}, {{10, 6, 4}, {62, 30, 20}}, false, true, 3},
                    Block{{1100, 8, 8}, {{0, 0, 0}, {1100, 8, 4}}}));

TEST(ResidualRestriction, IsOfferedForPairsWithOneKAnAxis) {
  const Grid grid{.dimensions = 3, .cells = {8, 8, 8}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  const comm::Box owned{{0, 0, 0}, grid.cells};
  const auto all = comm::grown(owned, grid.ghosts(1), grid.ghosts(1));
  const HeatEquation<double> varying(grid, owned, Material{.conductivity = {values_of(all, 2, 1)}});
  const HeatEquation<double> constant(grid, owned, Material{.conductivity = {2.0, 1.0, 1.0}});
  const Coarsening pairs{{3, grid.cells}, {2, 2, 2}}, flat{{3, grid.cells}, {2, 2, 1}};
  EXPECT_EQ(restricts_residuals(constant, pairs, owned), !comm::kernels_run_on_host);
  EXPECT_FALSE(restricts_residuals(varying, pairs, owned));
  EXPECT_FALSE(restricts_residuals(constant, flat, owned));
  EXPECT_FALSE(restricts_residuals(constant, pairs, {{0, 0, 0}, {8, 7, 8}}));
}

}  // namespace
}  // namespace halotherm::solver
