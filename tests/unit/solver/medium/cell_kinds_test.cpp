// SPDX-License-Identifier: MIT
// The kinds of a box's cells.
#include "solver/medium/cell_kinds.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

using Coefficient = std::variant<double, std::vector<double>>;

TEST(CellKinds, CellsAlikeInAllCoefficientsAreOfOneKind) {
  const Coefficient K = std::vector<double>{1, 2, 1, 1, 2}, capacity = 3.0,
                    source = std::vector<double>{0, 0, 5, 0, 0};
  const auto found = find_kinds({&K, &K, &capacity, &capacity, &source}, {}, 5);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->of_cell, (std::vector<std::uint8_t>{0, 1, 2, 0, 1}));
  using Kinds = std::vector<OfKind<double>>;
  EXPECT_EQ(found->kinds, (Kinds{{1, 1, 3, 3, 0}, {2, 2, 3, 3, 0}, {1, 1, 3, 3, 5}}));
}

TEST(CellKinds, NoneAreFoundIfTheyDoNotFitTheirNumbers) {
  std::vector<double> values;
  for (std::size_t n = 0; n < most_kinds; ++n) values.push_back(static_cast<double>(n));
  const Coefficient number = 1.0;
  Coefficient K = values;
  EXPECT_TRUE(find_kinds({&K, &number, &number, &number, &number}, {}, values.size()));
  values.push_back(-1);
  K = values;
  EXPECT_FALSE(find_kinds({&K, &number, &number, &number, &number}, {}, values.size()));
}

}  // namespace
}  // namespace halotherm::solver
