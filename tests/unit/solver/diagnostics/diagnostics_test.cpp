// SPDX-License-Identifier: MIT
// What diagnostics are made of: exact sums and extremes, in a pass of their own and noted by a
// step.
#include "solver/diagnostics/diagnostics.hpp"
#include "solver/kernels/apply.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace halotherm::solver {
namespace {

const Grid grid{.dimensions = 3, .cells = {40, 10, 8}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
const comm::Box whole{{0, 0, 0}, grid.cells};
constexpr std::size_t cells = 40 * 10 * 8;

/// rho c = 2 as a field, on a block with its ghost cells.
Material varying_on(const comm::Box& box) {
  return {{1.0},
          std::vector<double>(
              static_cast<std::size_t>(comm::grown(box, {1, 1, 1}, {1, 1, 1}).size()), 2.0),
          0.0};
}

template <class Real = double>
Field<Real> field_with(const comm::Box& box, const std::vector<double>& all) {
  Field<Real> field("field", box, {1, 1, 1});
  std::vector<Real> values;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) {
        values.push_back(static_cast<Real>(all[static_cast<std::size_t>(i + 40 * (j + 10 * k))]));
      }
    }
  }
  copy_from_host<Real>(values, box, field);
  return field;
}

/// Numbers whose sum in floating point depends on the order.
std::vector<double> awkward_numbers(double scale) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 0);
  std::vector<double> values(cells);
  for (auto& value : values)
    value = scale * std::pow(2.0, exponent(random)) * (random() % 2 == 0 ? 1 : -1);
  return values;
}

Accumulator accumulate_on(const comm::Box& box, const std::vector<double>& values,
                          const AccumulatorScales& scales = {}) {
  const auto field = field_with(box, values);
  const HeatEquation<double> equation(grid, box, varying_on(box));
  return accumulate(field, field, DiagnosticsSettings<double>{equation.heat_content(), scales});
}

TEST(Diagnostics, FloatingPointSumsWouldDependOnTheOrder) {
  auto values = awkward_numbers(1e3);
  double forward = 0;
  for (const double value : values) forward += value;
  double backward = 0;
  std::ranges::reverse(values);
  for (const double value : values) backward += value;
  EXPECT_NE(forward, backward) << "the next test could not fail";
}

TEST(Diagnostics, SumsDoNotDependOnTheCut) {
  const auto values = awkward_numbers(1e3);
  const AccumulatorScales scales;
  const double all = accumulate_on(whole, values).temperature.value(scales.temperature);
  for (int cut = 1; cut < 8; ++cut) {
    auto accumulator = accumulate_on({{0, 0, 0}, {40, 10, cut}}, values);
    accumulator.join(accumulate_on({{0, 0, cut}, {40, 10, 8}}, values));
    EXPECT_EQ(accumulator.temperature.value(scales.temperature), all);
  }
}

TEST(Diagnostics, SumsAreAccurate) {
  for (const double magnitude : {1e-3, 1.0, 300.0, 1e9}) {
    const auto values = awkward_numbers(magnitude);
    long double exact = 0;
    for (const double value : values) exact += value;
    const auto scales = AccumulatorScales::for_capacity(2);
    const auto found = accumulate_on(whole, values, scales);
    EXPECT_NEAR(found.temperature.value(scales.temperature), static_cast<double>(exact),
                1e-15 * std::max(magnitude, 1.0));
    EXPECT_NEAR(found.heat.value(scales.heat), static_cast<double>(2 * exact),
                1e-15 * std::max(magnitude, 1.0));
  }
}

TEST(Diagnostics, LargeCountsDoNotOverflow) {
  const SumScale scale(40);
  double chunks[SumScale::chunks] = {0, 0, 0};
  const double large = 0x1p40 - 1.0 / 3;
  add_to_chunks(chunks, large, scale);
  ExactSum sum;
  sum.add_chunks(chunks, scale);
  for (int doubling = 0; doubling < 36; ++doubling) sum += ExactSum(sum);  // 7e10 cells
  EXPECT_EQ(sum.value(scale), large * 0x1p36);
}

TEST(Diagnostics, FindsExtremes) {
  std::vector<double> values(cells, 300.0);
  const auto before = field_with(whole, values);
  values[17] = 250;
  values[500] = 420;
  const HeatEquation<double> equation(grid, whole, varying_on(whole));
  const auto found = accumulate(field_with(whole, values), before,
                                DiagnosticsSettings<double>{equation.heat_content(), {}});
  EXPECT_EQ(found.lowest, 250);
  EXPECT_EQ(found.highest, 420);
  EXPECT_EQ(found.largest_change, 120);
  EXPECT_EQ(found.not_finite, 0);
}

TEST(Diagnostics, NoticesWhatIsNotFinite) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL, 2e12}) {
    std::vector<double> values(cells, 300.0);
    values[959] = bad;
    EXPECT_EQ(accumulate_on(whole, values).not_finite, 1) << bad;
  }
}

template <class Real>
class InstrumentedStep : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(InstrumentedStep, Precisions);

/// A step that is watched leaves the same field, and the accumulator that a pass of its own would
/// find.
TYPED_TEST(InstrumentedStep, NotesWhatAPassWouldFind) {
  using Real = TypeParam;
  auto values = awkward_numbers(50);
  for (auto& value : values) value += 300;
  const auto now = field_with<Real>(whole, values);
  const HeatEquation<Real> equation(grid, whole, varying_on(whole));
  Boundary<Real> boundary(whole, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}});
  const AffineGhost insulated = ghost_of({}, 1, 1);
  for (std::size_t side = 0; side < 6; ++side) boundary.set(side, std::span(&insulated, 1));
  AccumulatorBoard<Real> board(equation, AccumulatorScales::for_capacity(2));
  Field<Real> plain("plain", whole, {1, 1, 1});
  Field<Real> watched("watched", whole, {1, 1, 1});
  const comm::Space space;

  // parts that take different kernels: wide, narrow, flat
  const comm::Box core{{3, 1, 1}, {39, 9, 7}};
  auto parts = comm::difference(whole, core);
  parts.push_back(core);
  for (const auto& part : parts) {
    const comm::Region region(part);
    apply(space, region, EulerStep<Real>{equation, boundary, 1e-4}, now.view(), plain.view());
    apply(space, region, EulerStep<Real>{equation, boundary, 1e-4, &board}, now.view(),
          watched.view());
  }
  space.fence("test");

  std::vector<Real> a(cells);
  auto b = a;
  copy_to_host<Real>(plain, whole, a);
  copy_to_host<Real>(watched, whole, b);
  EXPECT_EQ(a, b);
  const auto noted = board.collect();
  const auto found = accumulate(watched, now, board.settings());
  EXPECT_EQ(noted.not_finite, 0);
  EXPECT_EQ(noted.lowest, found.lowest);
  EXPECT_EQ(noted.highest, found.highest);
  EXPECT_EQ(noted.largest_change, found.largest_change);
  EXPECT_GT(noted.largest_change, 0);
  EXPECT_EQ(noted.temperature.value(board.scales().temperature),
            found.temperature.value(board.scales().temperature));
  EXPECT_EQ(noted.heat.value(board.scales().heat), found.heat.value(board.scales().heat));
}

/// More cells in a row than the sums of a lane can take: each is an odd number of the units in
/// which it is summed.
TEST(Diagnostics, RowsMayBeLong) {
  constexpr int length = 3 << 22;
  constexpr double temperature = 63 + 0x1p-27;
  for (const int dimensions : {1, 2}) {  // in two, the row is at sides
    const Grid line{
        .dimensions = dimensions, .cells = {length, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
    const comm::Box box{{0, 0, 0}, line.cells};
    const comm::Int3 ghosts{1, dimensions - 1, 0};
    Field<double> now("now", box, ghosts), next("next", box, ghosts);
    copy_from_host<double>(std::vector<double>(length, temperature), box, now);
    const HeatEquation<double> equation(line, box, Material{{1.0}, 1.0, 0.0});
    std::vector<Side> ends{{0, 0}, {0, 1}};
    if (dimensions == 2) ends.insert(ends.end(), {{1, 0}, {1, 1}});
    Boundary<double> boundary(box, ends);
    const AffineGhost insulated = ghost_of({}, 1, 1);
    for (std::size_t side = 0; side < ends.size(); ++side)
      boundary.set(side, std::span(&insulated, 1));
    AccumulatorBoard<double> board(equation, {});
    const comm::Space space;
    const comm::Region region(box);
    apply(space, region, EulerStep<double>{equation, boundary, 1e-4, &board},
          std::as_const(now).view(), next.view());
    space.fence("test");
    EXPECT_EQ(board.collect().temperature.value(board.scales().temperature), temperature * length)
        << dimensions;
    const auto found = accumulate(now, now, board.settings());
    EXPECT_EQ(found.temperature.value(board.scales().temperature), temperature * length);
  }
}

}  // namespace
}  // namespace halotherm::solver
