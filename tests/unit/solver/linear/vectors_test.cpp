// SPDX-License-Identifier: MIT
// Exact sums of products.
#include "solver/linear/vectors.hpp"

#include "tests/support/conductance_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

TEST(Products, SumsDoNotDependOnTheBlocks) {
  const LevelGrid grid{3, {17, 5, 3}, {false, false, false}};
  const comm::Box box{{0, 0, 0}, grid.cells};
  auto a = zero_field(grid, box, "a"), b = zero_field(grid, box, "b");
  std::vector<float> values(static_cast<std::size_t>(box.size()));
  float sign = 1;
  for (std::size_t n = 0; n < values.size(); ++n, sign = -sign)
    values[n] = sign * static_cast<float>(std::pow(1.37, static_cast<double>(n % 60)));
  set(a, box, values);
  set(b, box, std::vector<float>(values.size(), 3));
  const SumScale scale(64);
  const auto product = [&](const comm::Box& part) {
    return sum_of_products(space(), part, std::as_const(a).view(), std::as_const(b).view(), scale);
  };
  const auto whole = product(box);
  auto parts = product({{0, 0, 0}, {9, 5, 3}});
  parts.sum += product({{9, 0, 0}, {17, 2, 3}}).sum;
  parts.sum += product({{9, 2, 0}, {17, 5, 3}}).sum;
  EXPECT_EQ(whole.sum.value(scale), parts.sum.value(scale));
  double exact = 0;
  for (const float value : values) exact += 3 * static_cast<double>(value);
  EXPECT_NEAR(whole.sum.value(scale), exact, 1e-12 * whole.largest);
  EXPECT_FALSE(sum_of_products(space(), box, std::as_const(a).view(), {}, SumScale(2)).largest <
               SumScale(2).limit())
      << "a scale that is too small shows";
}

}  // namespace
}  // namespace halotherm::solver
