// SPDX-License-Identifier: MIT
// Corrections are linear between the centres of coarse cells, and towards sides.
#include "solver/multigrid/interpolation.hpp"

#include "tests/support/kernel_results.hpp"

#include <gtest/gtest.h>

namespace halotherm::solver {
namespace {

/// A line of cells of these widths with K = 1, and what its sides conduct.
struct Case {
  Case(std::vector<double> widths, double first, double last, bool periodic = false)
      : grid{1, {static_cast<int>(widths.size()), 1, 1}, {periodic, false, false}} {
    along.area = std::move(widths);
    along.conductivity = 1;
    along.face.push_back(periodic ? 2 / (along.area.front() + along.area.back()) : first);
    for (std::size_t n = 1; n < along.area.size(); ++n)
      along.face.push_back(2 / (along.area[n - 1] + along.area[n]));
    along.face.push_back(periodic ? along.face.front() : last);
  }
  Interpolation interpolation(double factor = 1) const {
    const AxisFactors none{{0, 0}, {1}, 0};
    const SeparableMatrix fine(grid, {along, none, none}, 0);
    const Coarsening coarsening{grid, {2, 1, 1}, {ends_in_three, false, false}};
    return {coarsening, fine, coarsened(coarsening, fine), factor};
  }
  std::vector<AxisWeights> weights() const { return interpolation().along(0); }
  std::vector<AxisWeights> weights_with_three() {
    ends_in_three = true;
    return weights();
  }
  LevelGrid grid;
  bool ends_in_three = false;
  AxisFactors along;
};

/// Whether cells from the second one to this one take their own centre from a line.
void expect_line(const std::vector<AxisWeights>& weights, const std::vector<double>& fine_centres,
                 const std::vector<double>& coarse_centres, std::size_t last) {
  const auto part = [&](float share, int cell) {
    return static_cast<double>(share) * coarse_centres[static_cast<std::size_t>(cell)];
  };
  for (std::size_t n = 1; n <= last; ++n) {
    const auto& weight = weights[n];
    EXPECT_NEAR(part(weight.low, weight.lower) + part(weight.high, weight.upper), fine_centres[n],
                1e-6)
        << n;
    EXPECT_LE(weight.upper - weights[n - 1].upper, 1) << n;
  }
}

TEST(Interpolation, ALineStaysALine) {
  const auto weights = Case({1, 0.5, 0.25, 1, 1, 0.25, 0.5}, 0, 0).weights();
  expect_line(weights, {0.5, 1.25, 1.625, 2.25, 3.25, 3.875, 4.25}, {0.75, 2.125, 3.375, 4.25}, 6);
  EXPECT_EQ(weights[6].high, 1) << "a cell that stays alone";
}

TEST(Interpolation, ALineStaysALineThroughThreeCells) {
  // the middle one of the last three lies on each side of the centre
  for (const double width : {1.0, 0.25}) {
    const auto weights = Case({1, 1, width, 1, 0.5}, 0, 0).weights_with_three();
    const double centre = 2 + (width + 1.5) / 2;
    const std::size_t last = width < 0.5 ? 3 : 2;
    expect_line(weights, {0.5, 1.5, 2 + width / 2, 2.5 + width, 3.25 + width}, {1, centre}, last);
    EXPECT_EQ(weights[4].lower, 1);
    EXPECT_EQ(weights[4].upper, 1);
    EXPECT_EQ(weights[4].high, 1) << "towards an insulated side";
  }
  const auto periodic = Case({1, 1, 1, 1, 0.5}, 0, 0, true).weights_with_three();
  EXPECT_EQ(periodic[0].lower, -1);
  EXPECT_EQ(periodic[4].lower, 1);
  EXPECT_EQ(periodic[4].upper, 2);
  EXPECT_FLOAT_EQ(periodic[4].high, 1 / 2.25F);
}

TEST(Interpolation, CellsThatStayAloneTakeTheirOwn) {
  const std::vector<double> widths{1, 0.5, 0.5, 1};
  const Case line(widths, 2, 0);
  const AxisFactors none{{0, 0}, {1}, 0};
  const SeparableMatrix fine(line.grid, {line.along, none, none}, 0);
  const Coarsening coarsening{line.grid, {1, 1, 1}, {}, {PartlyJoined({0, 1, 3, 4})}};
  const auto weights = Interpolation(coarsening, fine, coarsened(coarsening, fine), 1).along(0);
  expect_line(weights, {0.5, 1.25, 1.75, 2.5}, {0.5, 1.5, 2.5}, 3);
  for (const std::size_t alone : {0U, 3U})
    EXPECT_EQ(weights[alone].high, 1) << "even beside a fixed side";
}

TEST(Interpolation, TheFaceFollowsFromTheConductanceOfItsSide) {
  const auto first = [](double side) { return Case({1, 1, 1, 1}, side, 0).weights()[0].high; };
  EXPECT_FLOAT_EQ(first(0), 1) << "insulated: the cell's own";
  EXPECT_FLOAT_EQ(first(2), 0.5) << "fixed: a line to 0 at the face";
  // half of the resistance beyond the face: 1/2 fine, so 1 of a coarse cell's half and 1/2
  EXPECT_FLOAT_EQ(first(1), 0.5F * (1 + 1 / 3.F));
}

TEST(Interpolation, BeyondAPeriodicSideLieGhostCells) {
  const auto weights = Case({1, 1, 1, 1}, 0, 0, true).weights();
  EXPECT_EQ(weights[0].lower, -1);
  EXPECT_EQ(weights[3].upper, 2);
  EXPECT_FLOAT_EQ(weights[0].low, 0.25F);
}

struct WeightsAt {
  const AxisWeights* along;
  KOKKOS_INLINE_FUNCTION AxisWeights operator()(int n) const { return along[n]; }
};

TEST(Interpolation, OneOfTwoViewsIsMultipliedByTheFactor) {
  const auto interpolation = Case({1, 1, 1, 1}, 0, 0).interpolation(1.5);
  const auto weights = [](const InterpolationView& view) {
    return test::kernel_results<AxisWeights>(4, WeightsAt{view.along[0]});
  };
  EXPECT_FLOAT_EQ(weights(interpolation.multiplied())[1].low, 1.125F);
  EXPECT_FLOAT_EQ(weights(interpolation.multiplied())[1].high, 0.375F);
  EXPECT_FLOAT_EQ(weights(interpolation.view())[1].low, 0.75F);
  EXPECT_FLOAT_EQ(interpolation.along(0)[1].high, 0.25F);
}

}  // namespace
}  // namespace halotherm::solver
