// SPDX-License-Identifier: MIT
// Jacobi sweeps, and their weights.
#include "solver/linear/smoother.hpp"

#include "tests/support/conductance_line.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

TEST(Smoother, SweepsAreJacobiSteps) {
  const Line line({2, 1, 3});
  auto x = zero_field(line.grid, line.box, "x"), b = zero_field(line.grid, line.box, "b"),
       next = zero_field(line.grid, line.box, "next");
  set(b, line.box, {6, 8});
  const auto A = line.matrix.view();
  first_sweep(space(), 1, line.box, A, 0.5F, std::as_const(b).view(), x.view());
  EXPECT_EQ(values_of(x, line.box), (std::vector<float>{1, 1}));
  sweep(space(), 1, line.box, A, 0.5F, std::as_const(b).view(), std::as_const(x).view(),
        next.view());
  EXPECT_FLOAT_EQ(values_of(next, line.box)[0], 1 + 0.5F * 4 / 3);
  EXPECT_FLOAT_EQ(values_of(next, line.box)[1], 1 + 0.5F * 5 / 4);
}

TEST(Smoother, VoidCellsAreClearedAlone) {
  const LevelGrid grid{1, {4, 1, 1}, {false, false, false}};
  const comm::Box box{{0, 0, 0}, grid.cells};
  Matrix matrix(grid, box, true);
  set(matrix.lower(0), grid.faces(box, 0), {1, 0, 0, 0, 0});
  set(matrix.anchor(), box, {0, 0, 2, 0});
  auto x = zero_field(grid, box, "x");
  set(x, box, {5, 6, 7, 8});
  clear_void_cells(space(), 1, box, matrix.view(), x.view());
  EXPECT_EQ(values_of(x, box), (std::vector<float>{5, 0, 7, 0}));
  const Line line({0, 0, 1});
  set(x, line.box, {5, 6});
  clear_void_cells(space(), 1, line.box, line.matrix.view(), x.view());
  EXPECT_EQ(values_of(x, line.box), (std::vector<float>{5, 6})) << "without anchors there are none";
}

TEST(Smoother, WeightsAreInverseRootsOfTheChebyshevPolynomial) {
  const auto weights = chebyshev_weights<2>(0.5);
  // its roots lie at the same distance from the middle, whose product of factors is least at both
  // ends
  const auto factor = [&](float eigenvalue) {
    return (1 - weights[0] * eigenvalue) * (1 - weights[1] * eigenvalue);
  };
  EXPECT_NEAR(factor(0.5F), factor(2), 1e-6);
  EXPECT_NEAR(factor(0.5F), -factor(1.25F), 1e-6);
}

}  // namespace
}  // namespace halotherm::solver
