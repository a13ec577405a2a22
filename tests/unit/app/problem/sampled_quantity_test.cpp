// SPDX-License-Identifier: MIT
#include "app/problem/sampled_quantity.hpp"

#include <gtest/gtest.h>

namespace halotherm::app {
namespace {

SampledQuantity held(std::vector<std::array<double, 2>> points) {
  return {"source",
          Table{.points = std::move(points), .held = true},
          {{{0, 0, 0}, {1, 1, 1}}, {{{0.0}, {0.0}, {0.0}}}},
          Range::any};
}

double mean(SampledQuantity& quantity, double begin, double end) {
  return quantity.at({begin, begin, end}).front();
}

TEST(HeldValues, HoldFromTheirTimeOn) {
  auto quantity = held({{1, 10}, {2, 20}, {4, -5}});
  for (const auto& [time, value] :
       {std::array{0.0, 10.0}, {1.0, 10.0}, {1.999, 10.0}, {2.0, 20.0}, {4.0, -5.0}, {99.0, -5.0}})
    EXPECT_EQ(quantity.at(time).front(), value) << time;
}

TEST(HeldValues, HaveTheirMeanOverASpan) {
  auto quantity = held({{1, 10}, {2, 20}, {4, -5}});
  EXPECT_EQ(mean(quantity, 1.25, 2), 10);  // with its own bits
  EXPECT_EQ(mean(quantity, 2, 4), 20);
  EXPECT_DOUBLE_EQ(mean(quantity, 1, 4), (10 + 2 * 20) / 3.0);
  EXPECT_DOUBLE_EQ(mean(quantity, 1.5, 5), (0.5 * 10 + 2 * 20 - 5) / 3.5);
  EXPECT_DOUBLE_EQ(mean(quantity, 0, 1.5), 10);
  EXPECT_EQ(mean(quantity, 7, 9), -5);
}

TEST(HeldValues, DoNotDependOnTheStage) {
  auto quantity = held({{0, 1}, {1, 3}});
  EXPECT_EQ(quantity.at({0, 0, 2}).front(), 2);
  EXPECT_EQ(quantity.at({2, 0, 2}).front(), 2);
}

TEST(HeldValues, OfOnePoint) {
  auto quantity = held({{3, 7}});
  EXPECT_EQ(mean(quantity, 0, 9), 7);
}

}  // namespace
}  // namespace halotherm::app
