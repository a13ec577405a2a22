// SPDX-License-Identifier: MIT
// Operators on cells of few kinds against the same with a field of each coefficient, to the last
// bit.
#include "solver/equation/monotone_dt.hpp"
#include "solver/kernels/apply.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace halotherm::solver {
namespace {

constexpr double dt = 1e-6;

Grid grid_of(int dimensions) {
  Grid grid{.dimensions = dimensions, .cells = {75, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  if (dimensions > 1) grid.cells[1] = 33;
  if (dimensions > 2) grid.cells[2] = 21;
  return grid;
}

/// Wide enough for more than `most_kinds` cells that no stencil of the block reads.
int layers_for(int dimensions) {
  return dimensions == 1 ? 300 : dimensions == 2 ? 10 : 3;
}

/// Steps from the block to a cell along all axes together.
int distance(const comm::Box& box, const comm::Int3& cell) {
  int sum = 0;
  for (int axis = 0; axis < 3; ++axis)
    sum += std::max({box.lower[axis] - cell[axis], cell[axis] - box.upper[axis] + 1, 0});
  return sum;
}

/// One of seven numbers in each cell, the same beyond a side as beside it; if they are `many`,
/// those that no stencil reads differ from each other.
std::vector<double> values_of(const Grid& grid, double mean, bool many) {
  const comm::Box owned{{0, 0, 0}, grid.cells};
  const auto ghosts = grid.ghosts(layers_for(grid.dimensions));
  const auto all = comm::grown(owned, ghosts, ghosts);
  const auto within = [&](int axis, int index) {
    return std::clamp(index, 0, grid.cells[axis] - 1);
  };
  std::vector<double> values;
  for (int k = all.lower[2]; k < all.upper[2]; ++k)
    for (int j = all.lower[1]; j < all.upper[1]; ++j)
      for (int i = all.lower[0]; i < all.upper[0]; ++i) {
        const int kind = (within(0, i) / 3 + within(1, j) / 2 + within(2, k)) % 7;
        const bool unread = many && distance(owned, {i, j, k}) > 1;
        values.push_back(unread ? mean + static_cast<double>(values.size()) : mean * (1 + kind));
      }
  return values;
}

enum class Conductivity { one, isotropic, per_axis, contacts };

Material material_of(const Grid& grid, Conductivity conductivity, bool many) {
  const auto values = [&](double mean) { return values_of(grid, mean, many); };
  Material material{
      .conductivity = {1.5}, .volumetric_heat_capacity = values(1.5), .source = values(1e5)};
  if (conductivity == Conductivity::isotropic) material.conductivity = {values(0.7)};
  if (conductivity == Conductivity::per_axis) material.conductivity = {values(0.7), 2.0, values(3)};
  if (conductivity == Conductivity::contacts) {
    // two materials with the same coefficients among them
    std::vector<std::uint16_t> of_cell;
    for (std::size_t n = 0; n < std::get<std::vector<double>>(material.source).size(); ++n)
      of_cell.push_back(n % 5 < 2 ? 3 : 1);
    material.contacts = {
        .pairs = {{{1, 3}, 0.05}},
        .of_cell = std::make_shared<const std::vector<std::uint16_t>>(std::move(of_cell))};
  }
  return material;
}

/// A grid with one equation, and conditions on all sides.
template <class Real>
class Block {
 public:
  Block(const Grid& the_grid, const Material& material)
      : grid(the_grid),
        owned{{0, 0, 0}, grid.cells},
        equation(grid, owned, material, layers_for(grid.dimensions)),
        boundary(owned, sides(grid)),
        before("before", owned, grid.ghosts(1)),
        after("after", owned, grid.ghosts(1)),
        other("other", owned, grid.ghosts(1)) {
    fill_with_pattern(before);
    fill_with_pattern(other);
    const AffineGhost condition{0.5, 160};
    for (std::size_t side = 0; side < boundary.sides().size(); ++side)
      boundary.set(side, std::span(&condition, 1));
  }
  static std::vector<Side> sides(const Grid& grid) {
    std::vector<Side> all;
    for (int axis = 0; axis < grid.dimensions; ++axis)
      for (int end = 0; end < 2; ++end) all.push_back({axis, end});
    return all;
  }

  template <template <class> class Operator>
  std::vector<Real> result(const Operator<Real>& op) {
    comm::Region region(owned);
    apply(comm::Space(), region, op, std::as_const(before).view(), after.view());
    comm::Space().fence("test");
    std::vector<Real> values(static_cast<std::size_t>(owned.size()));
    copy_to_host<Real>(after, owned, values);
    return values;
  }
  /// Of all operators, one after the other.
  std::vector<Real> results() {
    std::vector<Real> all;
    const auto add = [&](const std::vector<Real>& values) {
      all.insert(all.end(), values.begin(), values.end());
    };
    AccumulatorBoard<Real> board(equation, {});
    board.begin(dt);
    add(result(EulerStep<Real>{equation, boundary, dt}));
    add(result(EulerStep<Real>{equation, boundary, dt, &board}));
    const auto noted = board.collect();
    all.push_back(static_cast<Real>(noted.heat.value(board.scales().heat)));
    all.push_back(static_cast<Real>(noted.change.value(board.scales().heat_change)));
    add(result(RungeKuttaStage<Real>{equation, boundary, dt, 0.75, -0.25, 0.5,
                                     std::as_const(other).view(), std::as_const(before).view(),
                                     std::as_const(other).view()}));
    add(result(Residual<Real>{equation, boundary}));
    add(result(Jacobi<Real>{equation, boundary}));
    all.push_back(static_cast<Real>(equation.stable_dt(owned)));
    all.push_back(static_cast<Real>(equation.largest_capacity(owned)));
    all.push_back(static_cast<Real>(monotone_dt(equation, boundary.view())));
    return all;
  }

  Grid grid;
  comm::Box owned;
  HeatEquation<Real> equation;
  Boundary<Real> boundary;
  Field<Real> before, after, other;
};

template <class Real>
int differences(const std::vector<Real>& a, const std::vector<Real>& b) {
  int count = a.size() == b.size() ? 0 : 1;
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) count += a[n] == b[n] ? 0 : 1;
  return count;
}

using Case = std::tuple<int, Conductivity>;  // dimensions, K
class KindsIn : public testing::TestWithParam<Case> {
 protected:
  template <class Real>
  Block<Real> block(bool many) const {
    const auto [dimensions, conductivity] = GetParam();
    const auto grid = grid_of(dimensions);
    return {grid, material_of(grid, conductivity, many)};
  }
  template <class Real>
  void expect_the_bits_of_fields() const {
    auto of_kinds = block<Real>(false), of_fields = block<Real>(true);
    ASSERT_NE(of_kinds.equation.heats_of_kinds(), nullptr);
    ASSERT_EQ(of_fields.equation.heats_of_kinds(), nullptr);
    EXPECT_LT(of_kinds.equation.bytes_per_cell(), of_fields.equation.bytes_per_cell());
    EXPECT_EQ(differences(of_kinds.results(), of_fields.results()), 0);
  }
  /// A source that changes stays what it was until it does.
  template <class Real>
  void expect_the_bits_with_a_changing_source() const {
    auto of_kinds = block<Real>(false), changing = block<Real>(false);
    (void)changing.equation.changing_source();
    EXPECT_EQ(changing.equation.heats_of_kinds(), nullptr);
    EXPECT_EQ(differences(of_kinds.results(), changing.results()), 0);
    changing.equation.set_source({.value = {{}, Real(7), false}});
    EXPECT_GT(differences(of_kinds.results(), changing.results()), 0);
  }
};

TEST_P(KindsIn, GiveTheBitsOfFields) {
  expect_the_bits_of_fields<double>();
  expect_the_bits_of_fields<float>();
}

TEST_P(KindsIn, GiveTheBitsWithAChangingSource) {
  expect_the_bits_with_a_changing_source<double>();
  expect_the_bits_with_a_changing_source<float>();
}

/// Sources that differ from cell to cell leave kinds of the other coefficients.
TEST(Kinds, StandForConductivityAndCapacityBesideAnySource) {
  const auto grid = grid_of(3);
  auto material = material_of(grid, Conductivity::isotropic, false);
  auto& source = std::get<std::vector<double>>(material.source);
  for (std::size_t n = 0; n < source.size(); ++n) source[n] = static_cast<double>(n);
  const HeatEquation<double> equation(grid, {{0, 0, 0}, grid.cells}, material, layers_for(3));
  EXPECT_EQ(equation.heats_of_kinds(), nullptr);
  EXPECT_EQ(equation.bytes_per_cell(), 2 * 8 + 8 + 1);
}

INSTANTIATE_TEST_SUITE_P(
    , KindsIn,
    testing::Combine(testing::Values(1, 2, 3),
                     testing::Values(Conductivity::one, Conductivity::isotropic,
                                     Conductivity::per_axis, Conductivity::contacts)));

}  // namespace
}  // namespace halotherm::solver
