// SPDX-License-Identifier: MIT
// Heat through sides and from sources: exact, and what a step really moves.
#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/kernels/apply.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace halotherm::solver {
namespace {

const Grid grid{.dimensions = 3, .cells = {20, 12, 10}, .lower = {0, 0, 0}, .upper = {1, 2, 3}};
const comm::Box whole{{0, 0, 0}, grid.cells};

/// A field of the place alone, whatever the block; K, rho c and q as well.
double number_at(int i, int j, int k) {
  return 300 + 100 * std::sin(0.7 * i + 1.3 * j * j + 0.4 * k);
}

template <class Work>
std::vector<double> values_on(const comm::Box& box, const Work& work) {
  std::vector<double> values;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) values.push_back(work(i, j, k));
    }
  }
  return values;
}

comm::Box with_ghosts(const comm::Box& box) {
  return comm::grown(box, {1, 1, 1}, {1, 1, 1});
}

Material varying_on(const comm::Box& box) {
  const auto inside = [](int i, int j, int k) {
    return number_at(std::clamp(i, 0, 19), std::clamp(j, 0, 11), std::clamp(k, 0, 9));
  };
  return {
      {values_on(with_ghosts(box), [&](int i, int j, int k) { return 0.1 * inside(i, j, k); })},
      values_on(with_ghosts(box), [&](int i, int j, int k) { return 3 * inside(j, k, i); }),
      values_on(with_ghosts(box), [&](int i, int j, int k) { return 500 - 2 * inside(k, j, i); })};
}

/// All sides of the domain that the block touches: fixed, convective or with a flux.
template <class Real>
Boundary<Real> boundary_of(const comm::Box& box) {
  std::vector<Side> sides;
  std::vector<AffineGhost> conditions;
  for (int axis = 0; axis < 3; ++axis) {
    const double h = grid.spacing(axis);
    if (box.lower[axis] == 0) {
      sides.push_back({axis, 0});
      conditions.push_back(axis == 0
                               ? dirichlet(350)
                               : ghost_of({.coefficient = 20, .ambient = 280.0 + axis}, 30, h));
    }
    if (box.upper[axis] == grid.cells[axis]) {
      sides.push_back({axis, 1});
      conditions.push_back(axis == 1 ? ghost_of({.flux = 1e4}, 30, h) : dirichlet(290 + axis));
    }
  }
  Boundary<Real> boundary(box, sides);
  for (std::size_t n = 0; n < sides.size(); ++n) boundary.set(n, std::span(&conditions[n], 1));
  return boundary;
}

std::vector<FlowPart> all_sides() {
  std::vector<FlowPart> parts;
  for (int axis = 0; axis < 3; ++axis) {
    for (int end = 0; end < 2; ++end) {
      auto layer = whole;
      (end == 0 ? layer.upper : layer.lower)[axis] = end == 0 ? 1 : grid.cells[axis] - 1;
      parts.push_back({{axis, end}, layer});
    }
  }
  return parts;
}

template <class Real>
Field<Real> field_on(const comm::Box& box) {
  Field<Real> field("T", box, {1, 1, 1});
  std::vector<Real> values;
  for (const double value : values_on(with_ghosts(box), number_at))
    values.push_back(static_cast<Real>(value));
  copy_from_host<Real>(values, with_ghosts(box), field);
  return field;
}

constexpr double capacity = 3 * 400;

/// The values of all sides, then of the source, of blocks that make up the domain.
std::vector<double> flows_of(const std::vector<comm::Box>& blocks) {
  std::vector<RateSum> all(7);
  SumScale scale(0);
  for (const auto& box : blocks) {
    const HeatEquation<double> equation(grid, box, varying_on(box));
    FlowSums<double> flows(equation, box, all_sides(), capacity);
    flows.begin(0.01);
    const comm::Space space;
    const auto T = field_on<double>(box);
    const auto boundary = boundary_of<double>(box);
    flows.add(space, T.view(), boundary);
    space.fence("test");
    const auto [sides, source] = flows.collect();
    for (std::size_t n = 0; n < sides.size(); ++n) all[n].join(sides[n]);
    all.back().join(source);
    scale = flows.scale();
  }
  std::vector<double> values;
  for (const auto& [lost, sum] : all) {
    EXPECT_EQ(lost, 0);
    values.push_back(sum.value(scale));
  }
  return values;
}

TEST(FlowSums, DoNotDependOnTheCut) {
  const auto all = flows_of({whole});
  for (const double flow : all) EXPECT_NE(flow, 0);
  EXPECT_EQ(flows_of({{{0, 0, 0}, {7, 12, 10}}, {{7, 0, 0}, {20, 12, 10}}}), all);
  EXPECT_EQ(flows_of({{{0, 0, 0}, {20, 5, 3}},
                      {{0, 5, 0}, {20, 12, 3}},
                      {{0, 0, 3}, {1, 12, 10}},
                      {{1, 0, 3}, {20, 12, 10}}}),
            all);
}

template <class Real>
class BalanceOfStep : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BalanceOfStep, Precisions);

/// What a step stores is what entered and was made, to the rounding of each cell's temperature.
TYPED_TEST(BalanceOfStep, Closes) {
  using Real = TypeParam;
  const HeatEquation<Real> equation(grid, whole, varying_on(whole));
  const auto boundary = boundary_of<Real>(whole);
  const double dt = 0.5 * equation.stable_dt(whole);
  AccumulatorBoard<Real> board(equation, AccumulatorScales::for_capacity(capacity),
                               FlowSums<Real>(equation, whole, all_sides(), capacity));
  const auto T = field_on<Real>(whole);
  Field<Real> next("next", whole, {1, 1, 1});
  const comm::Space space;
  board.begin(dt);
  apply(space, comm::Region(whole), EulerStep<Real>{equation, boundary, dt, &board}, T.view(),
        next.view());
  // as two stages of half the weight
  board.add_flows(space, T.view(), boundary, 0.5);
  board.add_flows(space, T.view(), boundary, 0.5);
  space.fence("test");
  const auto [sides, source] = board.flows()->collect();
  const auto& scale = board.flows()->scale();
  double entered = source.sum.value(scale), largest = 0;
  for (const auto& side : sides) {
    entered += side.sum.value(scale);
    largest = std::max(largest, std::abs(side.sum.value(scale)));
  }
  const double stored = board.collect().change.value(board.scales().heat_change) / dt;
  const double eps = std::is_same_v<Real, float> ? 1.2e-7 : 2.2e-16;
  EXPECT_NEAR(stored, entered, 300 * eps * largest);
  EXPECT_GT(std::abs(stored), 1e-3 * largest) << "nothing to see";
}

TEST(FlowSums, AUniformSourceIsANumber) {
  const HeatEquation<double> equation(grid, whole, Material{{2.0}, 3.0, 7.0});
  FlowSums<double> flows(equation, whole, {}, 3);
  const auto T = field_on<double>(whole);
  const comm::Space space;
  flows.begin(1);
  flows.add(space, T.view(), boundary_of<double>(whole), 0.25);
  flows.add(space, T.view(), boundary_of<double>(whole), 0.75);
  space.fence("test");
  EXPECT_EQ(flows.uniform_source(), 7);
  flows.begin(1);
  EXPECT_EQ(flows.uniform_source(), 0);
  EXPECT_EQ(flows.collect().source.sum.value(flows.scale()), 0);
}

TEST(FlowSums, NoticeWhatIsBeyondTheScale) {
  for (const double rate : {std::nan(""), HUGE_VAL, -HUGE_VAL, 1e300}) {
    RateSum sum;
    sum.add(rate, SumScale(50));
    EXPECT_EQ(sum.lost, 1) << rate;
  }
}

}  // namespace
}  // namespace halotherm::solver
