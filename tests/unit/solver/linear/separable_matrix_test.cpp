// SPDX-License-Identifier: MIT
// A separable matrix is the matrix of the same conductances, on coarser levels too.
#include "solver/linear/coarsening.hpp"
#include "solver/linear/smoother.hpp"
#include "tests/support/conductance_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

/// Widths 1, 0.5, 0.25, 1, ... and sides of all kinds.
AxisFactors factors_of(int cells, double first, double last) {
  AxisFactors factors;
  factors.conductivity = 2;
  for (int n = 0; n < cells; ++n) factors.area.push_back(std::pow(0.5, n % 3));
  factors.face.push_back(first);
  for (std::size_t n = 1; n < factors.area.size(); ++n)
    factors.face.push_back(2 * factors.conductivity / (factors.area[n - 1] + factors.area[n]));
  factors.face.push_back(last);
  return factors;
}

struct Both {
  LevelGrid grid{3, {7, 4, 5}, {false, false, false}};
  comm::Box box{{0, 0, 0}, grid.cells};
  SeparableMatrix separable{
      grid, {factors_of(7, 3, 0), factors_of(4, 0, 0.5), factors_of(5, 0, 0)}, 0.3};
  Matrix faces{grid, box, true};

  Both() {
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
  auto x = zero_field(grid, box, "x"), r = zero_field(grid, box, "r");
  std::vector<float> values;
  for (std::int64_t n = 0; n < box.size(); ++n)
    values.push_back(std::sin(1.7F * static_cast<float>(n)));
  set(x, box, values);
  residual(space(), 3, box, A, {}, std::as_const(x).view(), r.view());
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
  const auto sums = both.separable.conductances();
  for (int axis = 0; axis < 3; ++axis) {
    double sum = 0;
    for (const float value : values_of(both.faces.lower(axis), both.grid.faces(both.box, axis)))
      sum += static_cast<double>(value);
    EXPECT_NEAR(sums[static_cast<std::size_t>(axis)], sum, 1e-5 * sum);
  }
}

TEST(SeparableMatrix, CoarsensAsTheOtherForm) {
  const Both both;
  for (const comm::Int3& factors : {comm::Int3{2, 2, 2}, comm::Int3{1, 2, 1}}) {
    const Coarsening coarsening{both.grid, factors};
    const auto grid = coarsening.coarse();
    const comm::Box box{{0, 0, 0}, grid.cells};
    Matrix coarse(grid, box, true);
    coarsen(space(), coarsening, box, both.faces.view(), coarse);
    expect_near(residual_of(coarsened(coarsening, both.separable).view(), grid, box),
                residual_of(coarse.view(), grid, box));
  }
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
