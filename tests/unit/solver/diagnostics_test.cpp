// SPDX-License-Identifier: MIT
#include "solver/diagnostics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace halotherm::solver {
namespace {

const Grid grid{.dimensions = 3, .cells = {12, 10, 8}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
const Material material{{1.0}, 2.0, 0.0};

/// rho c = 2 as a field, on a block with its ghost cells.
Material varying_on(const comm::Box& box) {
  return {{1.0}, std::vector<double>(static_cast<std::size_t>(comm::grown(box, {1, 1, 1}, {1, 1, 1}).size()), 2.0), 0.0};
}

Field<double> field_with(const comm::Box& box, const std::vector<double>& all) {
  Field<double> field("field", box, {1, 1, 1});
  std::vector<double> values;
  for (int k = box.lower[2]; k < box.upper[2]; ++k) {
    for (int j = box.lower[1]; j < box.upper[1]; ++j) {
      for (int i = box.lower[0]; i < box.upper[0]; ++i) values.push_back(all[static_cast<std::size_t>(i + 12 * (j + 10 * k))]);
    }
  }
  copy_from_host<double>(values, box, field);
  return field;
}

/// Numbers whose sum in floating point depends on the order.
std::vector<double> awkward_numbers(double scale) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-30, 0);
  std::vector<double> values(12 * 10 * 8);
  for (auto& value : values) value = scale * std::pow(2.0, exponent(random)) * (random() % 2 == 0 ? 1 : -1);
  return values;
}

FixedPointSum plus(FixedPointSum a, const FixedPointSum& b) {
  for (std::size_t n = 0; n < 3; ++n) a.bins[n] += b.bins[n];
  return a;
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
  const comm::Box whole{{0, 0, 0}, grid.cells};
  const FixedPointScale scale(1e3, grid.cell_count());
  const auto sum_over = [&](const comm::Box& box) {
    return sums(field_with(box, values), HeatEquation<double>(grid, box, material), scale, scale).temperature;
  };
  const auto all = sum_over(whole);
  for (int cut = 1; cut < 8; ++cut) {
    const auto low = sum_over({{0, 0, 0}, {12, 10, cut}});
    const auto high = sum_over({{0, 0, cut}, {12, 10, 8}});
    for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(plus(low, high).bins[b], all.bins[b]);
  }
}

TEST(Diagnostics, SumsAreAccurate) {
  for (const double magnitude : {1e-250, 1e-3, 300.0, 1e9, 1e200}) {
    const auto values = awkward_numbers(magnitude);
    long double exact = 0;
    for (const double value : values) exact += value;
    const comm::Box whole{{0, 0, 0}, grid.cells};
    const FixedPointScale scale(magnitude, grid.cell_count());
    const FixedPointScale heat_scale(2 * magnitude, grid.cell_count());
    const auto found = sums(field_with(whole, values), HeatEquation<double>(grid, whole, varying_on(whole)), scale, heat_scale);
    EXPECT_NEAR(scale.value(found.temperature), static_cast<double>(exact), 1e-15 * magnitude);
    EXPECT_NEAR(heat_scale.value(found.heat), static_cast<double>(2 * exact), 1e-15 * magnitude);
  }
}

TEST(Diagnostics, LargeCountsDoNotOverflow) {
  const std::int64_t cells = std::int64_t{1} << 40;
  const FixedPointScale scale(1.0, cells);
  FixedPointSum sum;
  sum.bins[0] = static_cast<std::int64_t>(std::ldexp(1.0, scale.bits())) * cells;  // as many ones as cells
  EXPECT_GT(sum.bins[0], 0);
  EXPECT_DOUBLE_EQ(scale.value(sum), static_cast<double>(cells) * std::ldexp(1.0, scale.bits()) / scale.to_first_bin());
}

TEST(Diagnostics, FindsExtremes) {
  const comm::Box whole{{0, 0, 0}, grid.cells};
  std::vector<double> values(12 * 10 * 8, 300.0);
  const auto before = field_with(whole, values);
  values[17] = 250;
  values[500] = 420;
  const auto found = extremes(field_with(whole, values), before, HeatEquation<double>(grid, whole, varying_on(whole)));
  EXPECT_EQ(found.lowest, 250);
  EXPECT_EQ(found.highest, 420);
  EXPECT_EQ(found.largest_change, 120);
  EXPECT_EQ(found.largest_heat, 840);
  EXPECT_EQ(found.not_finite, 0);
}

TEST(Diagnostics, NoticesWhatIsNotFinite) {
  const comm::Box whole{{0, 0, 0}, grid.cells};
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    std::vector<double> values(12 * 10 * 8, 300.0);
    const auto before = field_with(whole, values);
    values[959] = bad;
    EXPECT_EQ(extremes(field_with(whole, values), before, HeatEquation<double>(grid, whole, material)).not_finite, 1);
  }
}

}  // namespace
}  // namespace halotherm::solver
