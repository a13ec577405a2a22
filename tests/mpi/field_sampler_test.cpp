// SPDX-License-Identifier: MIT
#include "app/problem/field_sampler.hpp"

#include "tests/support/error_text.hpp"
#include "tests/support/world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace halotherm::app {
namespace {

/// Cells of 1/32, so that their centres are exact, and enough of them for several threads.
FieldSampler make_field_sampler() {
  return {test::world(),
          {},
          {.dimensions = 3, .cells = {32, 32, 32}, .lower = {0, 0, 0}, .upper = {1, 1, 1}},
          {false, true, false}};
}

/// With a ghost cell on each side.
const comm::Box grown{{-1, -1, -1}, {33, 33, 33}};

TEST(Sample, GivesFormulasXFastestAndGhostCellsTheirNeighboursOrTheOtherEnds) {
  const auto sampled =
      make_field_sampler().cells("source", Formula{"x + 10*y + 100*z"}, grown, Range::any);
  const auto& values = std::get<std::vector<double>>(sampled);
  ASSERT_EQ(values.size(), 34U * 34U * 34U);
  std::size_t n = 0;
  const auto centre = [](int index) { return (index + 0.5) / 32; };
  for (int k = -1; k < 33; ++k) {
    for (int j = -1; j < 33; ++j) {
      for (int i = -1; i < 33; ++i) {
        const double x = centre(std::clamp(i, 0, 31)), y = centre((j + 32) % 32),
                     z = centre(std::clamp(k, 0, 31));
        EXPECT_EQ(values[n++], x + 10 * y + 100 * z) << i << ' ' << j << ' ' << k;
      }
    }
  }
}

TEST(Sample, GivesFormulasWithoutPositionAsANumber) {
  EXPECT_EQ(
      std::get<double>(make_field_sampler().cells("source", Formula{"2 * 3"}, grown, Range::any)),
      6);
}

TEST(Sample, ReportsTheFirstValueThatMayNotBe) {
  for (int n = 0; n < 20; ++n) {  // whichever thread comes first
    const auto sample = [] {
      make_field_sampler()
          .on_cells("source", Formula{"y > 0.5 ? -1 : 1"}, {{0, 0, 0}, {32, 32, 32}},
                    Range::positive)
          .at(0);
    };
    test::expect_part(test::usage_error(sample), "at (0.015625, 0.515625, 0.015625) m");
  }
}

TEST(Sample, EvaluatesAgainOnlyWhatChangesWithTime) {
  auto sampler = make_field_sampler();
  auto still = sampler.on_cells("source", Formula{"x + y"}, grown, Range::any);
  auto uniform = sampler.on_cells("source", Formula{"3 + t"}, grown, Range::any);
  auto all = sampler.on_cells("source", Formula{"x + t"}, grown, Range::any);
  auto number = sampler.on_cells("source", 7.0, grown, Range::any);
  EXPECT_FALSE(still.changes());
  EXPECT_FALSE(number.changes());
  EXPECT_TRUE(uniform.changes());
  EXPECT_TRUE(all.changes());
  EXPECT_EQ(still.at(0).size(), 34U * 34U * 34U);
  EXPECT_EQ(uniform.at(0).size(), 1U) << "a formula in t alone is evaluated once";
  EXPECT_EQ(number.at(5).front(), 7);
  const auto* values = all.at(1).data();
  EXPECT_EQ(values[0], 1 + 0.5 / 32);
  EXPECT_EQ(all.at(2).data(), values) << "evaluation allocates nothing";
  EXPECT_EQ(values[0], 2 + 0.5 / 32);
  EXPECT_EQ(uniform.at(2).front(), 5);
  EXPECT_EQ(still.at(2)[0], 1.0 / 64 + 63.0 / 64)
      << "y is periodic: the cell below the first is the last";
}

TEST(Sample, GivesFacesTheirPlanesCoordinate) {
  const comm::Box layer{{32, 0, 0}, {33, 32, 32}};
  auto faces = make_field_sampler().on_faces(
      "sides.x+.temperature", Formula{"x + 10*y + 100*z + t"}, layer, {0, 1}, Range::any);
  EXPECT_EQ(faces.at(1000).back(), 1 + 10 * (63.0 / 64) + 100 * (63.0 / 64) + 1000);
}

}  // namespace
}  // namespace halotherm::app
