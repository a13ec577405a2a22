// SPDX-License-Identifier: MIT
// The coarse matrix of series and parallel conductances, and what residuals and corrections become.
#include "solver/multigrid/coarsening.hpp"

#include "solver/linear/smoother.hpp"
#include "solver/multigrid/restriction.hpp"
#include "tests/support/conductance_line.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

std::vector<float> coarse_of(const Line& line) {
  const Coarsening coarsening{line.grid, {2, 1, 1}};
  const auto grid = coarsening.coarse();
  const comm::Box box{{0, 0, 0}, grid.cells};
  Matrix coarse(grid, box, false);
  coarsen(space(), coarsening, box, line.matrix.view(), coarse);
  return values_of(coarse.lower(0), grid.faces(box, 0));
}

TEST(Coarsening, EqualCellsConductHalfAsWell) {
  // sides are half a cell away: 2 K/h, whose coarse cells are twice as far
  EXPECT_EQ(coarse_of(Line({2, 1, 1, 1, 2})), (std::vector<float>{1, 0.5, 1}));
}

TEST(Coarsening, TheLastOfAnOddNumberStaysAsItIs) {
  const auto coarse = coarse_of(Line({2, 1, 1, 2}));
  ASSERT_EQ(coarse.size(), 3U);
  EXPECT_FLOAT_EQ(coarse[1], 1 / 1.5F);  // half of a face, and a face
  EXPECT_FLOAT_EQ(coarse[2], 2);
}

TEST(Coarsening, SeriesOfDifferentFacesButAtLeastHalfOfTheOwn) {
  EXPECT_FLOAT_EQ(coarse_of(Line({0, 4, 3, 5, 0}))[1], 1 / (1 / 3.F + 0.5F / 4 + 0.5F / 5));
  EXPECT_FLOAT_EQ(coarse_of(Line({0, 1, 1e4F, 1, 0}))[1], 5e3F);
  EXPECT_FLOAT_EQ(coarse_of(Line({0, 1, 0, 1, 0}))[1], 0);
  EXPECT_FLOAT_EQ(coarse_of(Line({0, 0, 3, 0, 0}))[1], 3) << "cells that a void divides";
}

TEST(Coarsening, ParallelFacesAddUp) {
  const LevelGrid grid{3, {4, 3, 2}, {false, false, false}};
  const comm::Box box{{0, 0, 0}, grid.cells};
  Matrix fine(grid, box, true);
  set(fine.lower(0), grid.faces(box, 0), std::vector<float>(5 * 3 * 2, 1));
  std::vector<float> anchors(24);
  std::iota(anchors.begin(), anchors.end(), 1.F);
  set(fine.anchor(), box, anchors);
  const Coarsening coarsening{grid, {1, 2, 2}};
  EXPECT_TRUE((coarsening.coarse().cells[1] == 2 && coarsening.coarse().cells[2] == 1));
  const comm::Box coarse_box{{0, 0, 0}, coarsening.coarse().cells};
  Matrix coarse(coarsening.coarse(), coarse_box, true);
  coarsen(space(), coarsening, coarse_box, fine.view(), coarse);
  EXPECT_EQ(values_of(coarse.lower(0), coarsening.coarse().faces(coarse_box, 0)),
            (std::vector<float>{4, 4, 4, 4, 4, 2, 2, 2, 2, 2}));
  const auto sums = values_of(coarse.anchor(), coarse_box);
  EXPECT_EQ(sums.front(), 1 + 5 + 13 + 17);
  EXPECT_EQ(sums.back(), 12 + 24);
}

TEST(Coarsening, FacesBesideCellsThatStayAloneKeepTheirHalves) {
  const Line line({2, 1, 4, 1, 3, 2, 0});
  const Coarsening coarsening{line.grid, {1, 1, 1}, {}, {PartlyJoined({0, 1, 3, 4, 6})}};
  const auto grid = coarsening.coarse();
  const comm::Box box{{0, 0, 0}, grid.cells};
  Matrix coarse(grid, box, false);
  coarsen(space(), coarsening, box, line.matrix.view(), coarse);
  const auto faces = values_of(coarse.lower(0), grid.faces(box, 0));
  const std::vector<float> expected{2, 1 / (1 + 0.125F), 1 / (1 + 0.125F), 1 / (1 / 3.F + 0.25F),
                                    0};
  ASSERT_EQ(faces.size(), expected.size());
  for (std::size_t n = 0; n < faces.size(); ++n) EXPECT_FLOAT_EQ(faces[n], expected[n]) << n;
}

TEST(Coarsening, ParentsGoOnBeyondPeriodicSides) {
  const Coarsening even{{1, {6, 1, 1}, {true, false, false}}, {2, 1, 1}};
  EXPECT_EQ(even.parent_beyond(0, -2), -1);
  EXPECT_EQ(even.parent_beyond(0, -1), -1);
  EXPECT_EQ(even.parent_beyond(0, 5), 2);
  EXPECT_EQ(even.parent_beyond(0, 6), 3);
  const Coarsening odd{{1, {5, 1, 1}, {true, false, false}}, {2, 1, 1}};
  EXPECT_EQ(odd.parent_beyond(0, -2), -2) << "the last coarse cell has one";
  EXPECT_EQ(odd.parent_beyond(0, -1), -1);
  EXPECT_EQ(odd.parent_beyond(0, 5), 3);
  EXPECT_EQ(odd.parent_beyond(0, 7), 4);
}

TEST(Coarsening, TheResidualIsRestrictedAsItIsStored) {
  const Line line({2, 1, 3, 1, 4, 2});
  auto x = zero_field(line.grid, line.box, "x"), b = zero_field(line.grid, line.box, "b"),
       r = zero_field(line.grid, line.box, "r");
  set(x, line.box, {1, -2, 3, 5, 4});
  set(b, line.box, {7, 1, 2, -3, 5});
  const auto A = line.matrix.view();
  residual(space(), 1, line.box, A, std::as_const(b).view(), std::as_const(x).view(), r.view());
  // b − (Σ conductance (x − neighbour)): first cell 7 − (2·1 + 1·(1 + 2))
  EXPECT_EQ(values_of(r, line.box),
            (std::vector<float>{2, 1 + 3 + 3 * 5, 2 - 15 + 2, -3 - 2 - 4, 5 + 4 - 8}));
  const Coarsening coarsening{line.grid, {2, 1, 1}};
  const comm::Box box{{0, 0, 0}, coarsening.coarse().cells};
  auto stored = zero_field(coarsening.coarse(), box, "b"),
       fused = zero_field(coarsening.coarse(), box, "b");
  restrict_to(space(), coarsening, box, std::as_const(r).view(), stored.view());
  restrict_residual(space(), coarsening, box, A, std::as_const(b).view(), std::as_const(x).view(),
                    fused.view());
  EXPECT_EQ(values_of(stored, box), (std::vector<float>{21, -20, 1}));
  EXPECT_EQ(values_of(fused, box), values_of(stored, box));
  add_correction(space(), coarsening, line.box, std::as_const(stored).view(), x.view());
  EXPECT_EQ(values_of(x, line.box), (std::vector<float>{22, 19, -17, -15, 5}));
}

TEST(Coarsening, CorrectionsReachTheCellsOfAnyBlock) {
  const LevelGrid grid{2, {11, 6, 1}, {false, false, false}};
  for (const Coarsening& coarsening :
       {Coarsening{grid, {1, 2, 1}}, Coarsening{grid, {2, 2, 1}},
        Coarsening{grid, {2, 2, 1}, {true, false, false}},
        Coarsening{grid, {1, 2, 1}, {}, {PartlyJoined({0, 2, 3, 4, 6, 8, 9, 11})}}}) {
    const comm::Box all{{0, 0, 0}, coarsening.coarse().cells};
    auto coarse = zero_field(coarsening.coarse(), all, "coarse");
    std::vector<float> values(static_cast<std::size_t>(all.size()));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<float>(n + 1);
    set(coarse, all, values);
    for (int first = 0; first < 11; ++first) {
      for (int last = first + 1; last <= 11; ++last) {
        const comm::Box block{{first, 1, 0}, {last, 4, 1}};
        auto x = zero_field(grid, block, "x");
        add_correction(space(), coarsening, block, std::as_const(coarse).view(), x.view());
        std::vector<float> expected;
        for (int j = 1; j < 4; ++j) {
          for (int i = first; i < last; ++i)
            expected.push_back(values[static_cast<std::size_t>(
                coarsening.parent(0, i) + all.upper[0] * coarsening.parent(1, j))]);
        }
        EXPECT_EQ(values_of(x, block), expected) << all.upper[0] << ": " << first << last;
      }
    }
  }
}

}  // namespace
}  // namespace halotherm::solver
