// SPDX-License-Identifier: MIT
// Interpolation by what conducts, its transpose, and the coarse matrix that bounds its energy.
#include "solver/cycle/coarse_faces.hpp"
#include "solver/cycle/column_correction.hpp"
#include "solver/cycle/column_restriction.hpp"
#include "solver/linear/smoother.hpp"
#include "tests/support/joined_cells.hpp"
#include "tests/support/stored_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace halotherm::solver {
namespace {

/// Made when it is needed, which is after Kokkos was started.
comm::Space space() {
  return {};
}

/// A line of cells that are joined in pairs.
struct JoinedLine : Line {
  explicit JoinedLine(const std::vector<float>& conductances, const Coarsening& how)
      : Line(conductances),
        coarse_box{{0, 0, 0}, how.coarse().cells},
        coarsening(how),
        transfer(how, coarse_box, 1) {
    auto scratch = zero_field(how.coarse(), coarse_box, "scratch");
    set_shares(
        space(), coarse_box, matrix.view(), scratch, [](Field<float>&) {}, transfer);
  }
  explicit JoinedLine(const std::vector<float>& conductances)
      : JoinedLine(conductances,
                   {{1, {static_cast<int>(conductances.size()) - 1, 1, 1}, {}}, {2, 1, 1}}) {}

  std::vector<float> below() { return values_of(transfer.shares()[0]->below, coarse_box); }
  std::vector<float> above() { return values_of(transfer.shares()[0]->above, coarse_box); }
  std::vector<float> coarse_faces() {
    const auto coarse_grid = coarsening.coarse();
    Matrix coarse(coarse_grid, coarse_box, false);
    coarsen(space(), transfer.view(), coarse_box, matrix.view(), coarse);
    return values_of(coarse.lower(0), coarse_grid.faces(coarse_box, 0));
  }
  comm::Box coarse_box;
  Coarsening coarsening;
  Transfer transfer;
};

void expect_near(const std::vector<float>& values, const std::vector<float>& expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t n = 0; n < values.size(); ++n)
    EXPECT_NEAR(values[n], expected[n], 1e-6F * expected[n]) << n;
}

TEST(Transfer, EqualFacesGiveAFourth) {
  // sides are half a cell away: 2 K/h
  JoinedLine line({2, 1, 1, 1, 1, 1, 2});
  expect_near(line.below(), {0.5F, 0.25F, 0.25F});
  expect_near(line.above(), {0.25F, 0.25F, 0.5F});
  // of the first: (1 - 0.5)² of the side's and 0.5 (0.5 + 0.25) of that inside, where 1 is exact
  expect_near(line.coarse_faces(), {0.875F, 0.5625F, 0.5625F, 0.875F});
  expect_near({JoinedLine({0, 1, 1, 1, 1, 1, 1, 1, 0}).coarse_faces()[2]}, {0.5F});
}

TEST(Transfer, SharesFollowResistances) {
  // between the centres of the first two coarse cells: 0.5 / 4, 1 / 3 and 0.5 / 5
  JoinedLine line({0, 4, 3, 5, 0, 2, 1, 7, 9});
  const float whole = 0.5F / 4 + 1 / 3.F + 0.5F / 5;
  expect_near(line.below(), {0, 0.5F / 5 / whole, 0, 0.5F / 7 / (0.5F / 7 + 1 + 0.25F)});
  expect_near(line.above(), {0.5F / 4 / whole, 0, 0.25F / (0.25F + 1 + 0.5F / 7),
                             0.5F / 7 / (0.5F / 7 + 1 / 9.F)});
}

TEST(Transfer, CellsThatAreApartFollowTheirNeighbours) {
  JoinedLine line({0, 2, 1, 1, 1, 0, 2});  // the last two are apart; beyond a side is no cell
  expect_near(line.above(), {0.25F / (0.25F + 1 + 0.5F), 0, 0});
  expect_near(line.below(), {0, 0.5F / (0.5F + 1 + 0.25F), 1});
}

TEST(Transfer, ACellBesideVoidIsTheCoarseOne) {
  JoinedLine line({2, 1, 1, 0, 0, 0, 0, 3, 1});  // cells 3 to 5 are void
  expect_near(line.below(), {0.5F, 0, 0, 0});
  expect_near(line.above(), {0.5F / (0.5F + 1), 0, 0, 0.5F / 3 / (0.5F / 3 + 1)});
  expect_near(line.coarse_faces(), {0.5F + 5 / 12.F, 4 / 9.F + 5 / 18.F, 0, 0, 39 / 49.F});
}

TEST(Transfer, CellsThatStayAloneTakeNothing) {
  JoinedLine line({2, 1, 4, 1, 3, 2, 0},
                  {{1, {6, 1, 1}, {}}, {1, 1, 1}, {}, {PartlyJoined({0, 1, 3, 4, 6})}});
  expect_near(line.below(), {0, 0.125F / 1.125F, 0, 0.25F / (0.25F + 1 / 3.F)});
  expect_near(line.above(), {0, 0.125F / 1.125F, 0, 0});
}

TEST(TransferIn, SharesOfZeroGiveEachCellTheCorrectionOfItsOwn) {
  const LevelGrid grid{2, {11, 6, 1}, {false, false, false}};
  for (const Coarsening& coarsening :
       {Coarsening{grid, {1, 2, 1}}, Coarsening{grid, {2, 2, 1}},
        Coarsening{grid, {2, 2, 1}, {true, false, false}},
        Coarsening{grid, {1, 2, 1}, {}, {PartlyJoined({0, 2, 3, 4, 6, 8, 9, 11})}}}) {
    const comm::Box all{{0, 0, 0}, coarsening.coarse().cells};
    const Transfer transfer(coarsening, all, 1);
    auto coarse = zero_field(coarsening.coarse(), all, "coarse");
    std::vector<float> values(static_cast<std::size_t>(all.size()));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<float>(n + 1);
    set(coarse, all, values);
    for (int first = 0; first < 11; ++first) {
      for (int last = first + 1; last <= 11; ++last) {
        const comm::Box block{{first, 1, 0}, {last, 4, 1}};
        auto x = zero_field(grid, block, "x");
        add_correction(space(), transfer.view(), block, std::as_const(coarse).view(), x.view());
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

struct CountVisits {
  comm::Box box;
  int* visits;
  void operator()(int I, int J, int K, int /*end*/) const {
    ++visits[(I - box.lower[0]) +
             box.extent(0) * ((J - box.lower[1]) + box.extent(1) * (K - box.lower[2]))];
  }
};

TEST(TransferIn, TeamsVisitTheFirstCellOfEachColumnOnce) {
  for (const comm::Int3 cells : {comm::Int3{1, 1, 1}, {3, 70, 5}, {33, 9, 16}, {64, 4, 17}}) {
    for (const int planes : {1, 8}) {
      const comm::Box box{{4, -2, 7}, {4 + cells[0], -2 + cells[1], 7 + cells[2]}};
      std::vector<int> visits(static_cast<std::size_t>(box.size()));
      const detail::VisitColumn<CountVisits> visit({box, visits.data()}, planes);
      for (int team = 0; team < visit.cut.teams(); ++team) {
        for (int thread = 0; thread < comm::TileGrid::threads; ++thread) visit(team, thread);
      }
      for (std::size_t n = 0; n < visits.size(); ++n) {
        const auto k = static_cast<int>(n) / (cells[0] * cells[1]);
        ASSERT_EQ(visits[n], k % planes == 0 ? 1 : 0) << cells[0] << ", " << planes << ": " << n;
      }
    }
  }
}

class TransferOf : public testing::TestWithParam<JoinedCells> {
 protected:
  static double dot(const std::vector<float>& one, const std::vector<float>& other) {
    double sum = 0;
    for (std::size_t n = 0; n < one.size(); ++n)
      sum += static_cast<double>(one[n]) * static_cast<double>(other[n]);
    return sum;
  }
  std::vector<float> interpolated() {
    set(problem.x, problem.box, std::vector<float>(static_cast<std::size_t>(problem.box.size())));
    add_correction(space(), problem.transfer.view(), problem.box,
                   std::as_const(problem.coarse_x).view(), problem.x.view());
    return values_of(problem.x, problem.box);
  }
  /// x · A x
  static double energy(const StoredProblem& problem, const LevelGrid& grid, Matrix& A,
                       Field<float>& x) {
    problem.wrap(x);
    const auto box = x.owned();
    auto zero = zero_field(grid, box, "0"), product = zero_field(grid, box, "-A x");
    residual(space(), grid.dimensions, box, A.view(), std::as_const(zero).view(),
             std::as_const(x).view(), product.view());
    return -dot(values_of(x, box), values_of(product, box));
  }

  StoredProblem problem{GetParam(), false};
};

TEST_P(TransferOf, RestrictsByTheTranspose) {
  const auto fine = interpolated();
  restrict_by(space(), problem.transfer.view(), problem.coarse_box, std::as_const(problem.b).view(),
              problem.coarse_b.view());
  const auto coarse = values_of(problem.coarse_x, problem.coarse_box);
  const double expected = dot(fine, values_of(problem.b, problem.box));
  EXPECT_GT(std::abs(expected), 0);
  EXPECT_NEAR(dot(coarse, values_of(problem.coarse_b, problem.coarse_box)), expected,
              1e-5 * dot(fine, fine));
}

TEST_P(TransferOf, RowsHaveTheBitsOfColumns) {
  if (!comm::kernels_run_on_host) GTEST_SKIP() << "GPUs have no rows";
  const auto fine = std::as_const(problem.b).view();
  const auto view = problem.transfer.view();
  const auto for_columns = [](const auto& body, int planes) {
    const auto& box = body.box;
    for (int K = box.lower[2]; K < box.upper[2]; K += planes) {
      for (int J = box.lower[1]; J < box.upper[1]; ++J) {
        for (int I = box.lower[0]; I < box.upper[0]; ++I)
          body(I, J, K, std::min(K + planes, box.upper[2]));
      }
    }
  };
  const auto by_rows = interpolated();
  restrict_by(space(), view, problem.coarse_box, fine, problem.coarse_b.view());
  const auto sums = values_of(problem.coarse_b, problem.coarse_box);
  for (const int planes : {1, 2, 3, 8}) {
    set(problem.x, problem.box, std::vector<float>(by_rows.size()));
    with_joined_axes(view, [&](auto joined) {
      for_columns(CorrectColumn<decltype(joined)>(
                      view, problem.box, std::as_const(problem.coarse_x).view(), problem.x.view()),
                  planes);
    });
    EXPECT_EQ(values_of(problem.x, problem.box), by_rows) << planes;
    set(problem.coarse_b, problem.coarse_box, std::vector<float>(sums.size()));
    with_joined_axes(view, [&](auto joined) {
      for_columns(
          RestrictColumn<decltype(joined)>(view, problem.coarse_box, fine, problem.coarse_b.view()),
          planes);
    });
    EXPECT_EQ(values_of(problem.coarse_b, problem.coarse_box), sums) << planes;
  }
}

TEST_P(TransferOf, CoarseFacesBoundTheEnergyOfCorrections) {
  const auto grid = problem.coarsening.coarse();
  Matrix coarse(grid, problem.coarse_box, false, StoredProblem::layers);
  coarsen(space(), problem.transfer.view(), problem.coarse_box, problem.matrix.view(), coarse);
  for (int axis = 0; axis < 3; ++axis)
    problem.wrap(coarse.lower(axis), grid.faces(problem.coarse_box, axis));
  const auto ratio = [&](auto&& value) {
    std::vector<float> values(static_cast<std::size_t>(problem.coarse_box.size()));
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = value(static_cast<int>(n));
    set(problem.coarse_x, problem.coarse_box, values);
    problem.wrap(problem.coarse_x);
    (void)interpolated();
    return energy(problem, grid, coarse, problem.coarse_x) /
           energy(problem, problem.grid, problem.matrix, problem.x);
  };
  EXPECT_GT(ratio([](int n) { return std::sin(1.3F * static_cast<float>(n)); }), 0.99);
  EXPECT_GT(ratio([](int n) { return std::sin(0.01F * static_cast<float>(n)); }), 0.99);
  const int row = problem.coarse_box.extent(0);
  const double smooth = ratio([&](int n) { return static_cast<float>(n % row); });
  EXPECT_GT(smooth, 0.99);
  EXPECT_LT(smooth, 8) << "or corrections are much too small";
}

JoinedCells cells(const comm::Int3& cells, const comm::Int3& factors,
                  const comm::Periodic& periodic = {false, false, false}) {
  return {{3, cells, periodic}, factors};
}
INSTANTIATE_TEST_SUITE_P(Grids, TransferOf,
                         testing::Values(cells({24, 20, 16}, {2, 2, 2}),
                                         cells({17, 15, 13}, {2, 2, 2}),
                                         cells({16, 9, 12}, {1, 2, 2}),
                                         cells({16, 12, 12}, {2, 1, 1}),
                                         cells({16, 12, 10}, {2, 2, 2}, {false, true, false}),
                                         cells({15, 12, 12}, {2, 2, 1}, {true, false, false})));

TEST(CoarseFaces, LinesInParallelAddUp) {
  const LevelGrid grid{3, {4, 3, 2}, {false, false, false}};
  const comm::Box box{{0, 0, 0}, grid.cells};
  Matrix fine(grid, box, true);
  set(fine.lower(0), grid.faces(box, 0), std::vector<float>(5 * 3 * 2, 1));
  std::vector<float> anchors(24);
  std::iota(anchors.begin(), anchors.end(), 1.F);
  set(fine.anchor(), box, anchors);
  const Coarsening coarsening{grid, {1, 2, 2}};
  const comm::Box coarse_box{{0, 0, 0}, coarsening.coarse().cells};
  const Transfer transfer(coarsening, coarse_box, 1);  // shares of 0
  Matrix coarse(coarsening.coarse(), coarse_box, true);
  coarsen(space(), transfer.view(), coarse_box, fine.view(), coarse);
  EXPECT_EQ(values_of(coarse.lower(0), coarsening.coarse().faces(coarse_box, 0)),
            (std::vector<float>{4, 4, 4, 4, 4, 2, 2, 2, 2, 2}));
  const auto sums = values_of(coarse.anchor(), coarse_box);
  EXPECT_EQ(sums.front(), 1 + 5 + 13 + 17);
  EXPECT_EQ(sums.back(), 12 + 24);
}

}  // namespace
}  // namespace halotherm::solver
