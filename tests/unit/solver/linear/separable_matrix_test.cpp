// SPDX-License-Identifier: MIT
// A separable matrix is the matrix of the same conductances, on coarser levels too.
#include "solver/linear/smoother.hpp"
#include "solver/multigrid/joining.hpp"
#include "solver/multigrid/restriction.hpp"
#include "tests/support/conductance_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

/// Widths 1, `ratio`, `ratio`², 1, ... and sides of all kinds.
AxisFactors factors_of(int cells, double first, double last, double ratio = 0.5) {
  AxisFactors factors;
  factors.conductivity = 2;
  for (int n = 0; n < cells; ++n) factors.area.push_back(std::pow(ratio, n % 3));
  factors.face.push_back(first);
  for (std::size_t n = 1; n < factors.area.size(); ++n)
    factors.face.push_back(2 * factors.conductivity / (factors.area[n - 1] + factors.area[n]));
  factors.face.push_back(last);
  return factors;
}

struct Both {
  LevelGrid grid{3, {7, 4, 5}, {false, false, false}};
  comm::Box box{{0, 0, 0}, grid.cells};
  SeparableMatrix separable;
  Matrix faces{grid, box, true};

  explicit Both(double ratio = 0.5)
      : separable(
            grid,
            {factors_of(7, 3, 0, ratio), factors_of(4, 0, 0.5, ratio), factors_of(5, 0, 0, ratio)},
            0.3) {
    for (int axis = 0; axis < 3; ++axis) {
      std::vector<float> values;
      const auto part = grid.faces(box, axis);
      for_each(part, [&](const comm::Int3& at) {
        double value = separable.along(axis).face[static_cast<std::size_t>(at[axis])];
        for (int other = 0; other < 3; ++other) {
          if (other != axis) value *= area(other, at);
        }
        values.push_back(static_cast<float>(value));
      });
      set(faces.lower(axis), part, values);
    }
    std::vector<float> anchors;
    for_each(box, [&](const comm::Int3& at) {
      anchors.push_back(static_cast<float>(0.3 * area(0, at) * area(1, at) * area(2, at)));
    });
    set(faces.anchor(), box, anchors);
  }

  double area(int axis, const comm::Int3& at) const {
    return separable.along(axis).area[static_cast<std::size_t>(at[axis])];
  }
  template <class Work>
  static void for_each(const comm::Box& part, const Work& work) {
    for (int k = part.lower[2]; k < part.upper[2]; ++k) {
      for (int j = part.lower[1]; j < part.upper[1]; ++j) {
        for (int i = part.lower[0]; i < part.upper[0]; ++i) work(comm::Int3{i, j, k});
      }
    }
  }
};

std::vector<float> residual_of(const AnyMatrixView& A, const LevelGrid& grid,
                               const comm::Box& box) {
  auto x = zero_field(grid, box, "x"), b = zero_field(grid, box, "b"),
       r = zero_field(grid, box, "r");
  std::vector<float> values;
  for (std::int64_t n = 0; n < box.size(); ++n)
    values.push_back(std::sin(1.7F * static_cast<float>(n)));
  set(x, box, values);
  residual(space(), 3, box, A, std::as_const(b).view(), std::as_const(x).view(), r.view());
  return values_of(r, box);
}

void expect_near(const std::vector<float>& one, const std::vector<float>& other) {
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t n = 0; n < one.size(); ++n) EXPECT_NEAR(one[n], other[n], 2e-6F * 20) << n;
}

TEST(SeparableMatrix, HasTheConductancesOfTheProducts) {
  const Both both;
  expect_near(residual_of(both.separable.view(), both.grid, both.box),
              residual_of(both.faces.view(), both.grid, both.box));
}

/// A line of cells of these widths with K = 2.
SeparableMatrix line_of(const LevelGrid& grid, const std::vector<double>& widths, double first,
                        double last) {
  AxisFactors along{{first}, widths, 2};
  for (std::size_t n = 1; n < widths.size(); ++n)
    along.face.push_back(4 / (widths[n - 1] + widths[n]));
  along.face.push_back(last);
  const AxisFactors none{{0, 0}, {1}, 0};
  return {grid, {along, none, none}, 0.3};
}

TEST(SeparableMatrix, CoarseFacesAreThoseOfCoarseCells) {
  const LevelGrid grid{1, {5, 1, 1}, {false, false, false}};
  // a fixed temperature at half of 0.25, and a resistance 1 beyond half of 1
  const auto fine = line_of(grid, {0.25, 1, 0.5, 0.125, 1}, 16, 1 / (1 + 0.25));
  const auto coarse = coarsened(joining_of(grid, fine).coarsening, fine);
  EXPECT_EQ(coarse.along(0).area, (std::vector<double>{1.25, 0.625, 1}));
  EXPECT_EQ(coarse.mass(), 0.3);
  const std::vector<double> expected{4 / 1.25, 4 / 1.875, 4 / 1.625, 1 / (1 + 0.25)};
  for (std::size_t n = 0; n < 4; ++n) EXPECT_NEAR(coarse.along(0).face[n], expected[n], 1e-12) << n;
}

TEST(SeparableMatrix, AThinLastCellJoinsThePairBelow) {
  const LevelGrid grid{1, {5, 1, 1}, {false, false, false}};
  const auto ends_in_three = [&](double last) {
    return joining_of(grid, line_of(grid, {1, 1, 1, 1, last}, 4, 0)).coarsening.ends_in_three[0];
  };
  EXPECT_FALSE(ends_in_three(1));
  EXPECT_TRUE(ends_in_three(0.8));
  const auto fine = line_of(grid, {1, 1, 1, 1, 0.5}, 4, 8);
  const auto coarsening = joining_of(grid, fine).coarsening;
  EXPECT_EQ(coarsening.coarse().cells[0], 2);
  const auto coarse = coarsened(coarsening, fine).along(0);
  EXPECT_EQ(coarse.area, (std::vector<double>{2, 2.5}));
  const std::vector<double> expected{2, 4 / 4.5, 4 / 2.5};
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(coarse.face[n], expected[n], 1e-12) << n;
  // sums of three
  const comm::Box box{{0, 0, 0}, grid.cells}, coarse_box{{0, 0, 0}, {2, 1, 1}};
  auto x = zero_field(grid, box, "x"), b = zero_field(coarsening.coarse(), coarse_box, "b");
  set(x, box, {1, 2, 4, 8, 16});
  restrict_to(space(), coarsening, coarse_box, std::as_const(x).view(), b.view());
  EXPECT_EQ(values_of(b, coarse_box), (std::vector<float>{3, 28}));
}

TEST(SeparableMatrix, APeriodicLineOfThreeBecomesOneCell) {
  const LevelGrid grid{1, {3, 1, 1}, {true, false, false}};
  const auto fine = line_of(grid, {1, 1, 0.5}, 4 / 1.5, 4 / 1.5);
  const auto coarse = coarsened(joining_of(grid, fine).coarsening, fine).along(0);
  EXPECT_EQ(coarse.area, (std::vector<double>{2.5}));
  EXPECT_EQ(coarse.face, (std::vector<double>{0, 0})) << "beside itself";
}

TEST(SeparableMatrix, RatesAreConductancesPerVolume) {
  const Both both;
  const auto faces = both.separable.along(0);
  const auto view = both.separable.view();
  if constexpr (comm::kernels_run_on_host) {
    EXPECT_FLOAT_EQ(view.rates(0, 1).lower, static_cast<float>(faces.face[1] / 0.5));
    EXPECT_FLOAT_EQ(view.rates(0, 6).upper, 0);
    EXPECT_EQ(view.rates(0, -1).lower, 0) << "beyond a side";
  }
}

TEST(SeparableMatrix, IsAnchoredBySidesOrMass) {
  const LevelGrid grid{1, {3, 1, 1}, {false, false, false}};
  const AxisFactors none{{0, 0}, {1}, 0};
  const auto anchored = [&](double first, double mass) {
    return SeparableMatrix(grid, {factors_of(3, first, 0), none, none}, mass).anchored();
  };
  EXPECT_FALSE(anchored(0, 0));
  EXPECT_TRUE(anchored(1, 0));
  EXPECT_TRUE(anchored(0, 1));
}

}  // namespace
}  // namespace halotherm::solver
