// SPDX-License-Identifier: MIT
// A stage on the device is its formula, cell by cell, wherever it writes, and with diagnostics.
#include "solver/integrators/apply_stage.hpp"

#include "solver/diagnostics/diagnostics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace halotherm::solver {
namespace {

const Grid grid{.dimensions = 3, .cells = {45, 12, 9}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
const comm::Box whole{{0, 0, 0}, grid.cells};
const comm::Int3 ghosts{1, 1, 1};
constexpr double dt = 1e-4;

/// Parts that take different kernels: wide, narrow, flat.
std::vector<comm::Region> parts(const comm::Tile& tile) {
  const comm::Box core{{3, 1, 1}, {39, 9, 7}};
  auto boxes = comm::difference(whole, core);
  boxes.push_back(core);
  std::vector<comm::Region> regions;
  for (const auto& box : boxes) regions.emplace_back(box).set_tile(tile);
  return regions;
}

class StageOf : public testing::TestWithParam<bool> {
 protected:
  StageOf() {
    const AffineGhost fixed = dirichlet(310);
    for (std::size_t side = 0; side < 6; ++side) boundary.set(side, std::span(&fixed, 1));
    for (std::size_t n = 0; n < Scheme::most_fields; ++n) {
      std::vector<double> start(static_cast<std::size_t>(whole.size()));
      for (std::size_t cell = 0; cell < start.size(); ++cell)
        start[cell] = 300 + std::cos(static_cast<double>(cell * (n + 3)));
      fields.emplace_back("field", whole, ghosts);
      copy_from_host<double>(start, whole, fields.back());
    }
  }

  static Material material(bool varies) {
    if (!varies) return {{2.0}, 3.0, 5.0};
    const auto cells = comm::grown(whole, ghosts, ghosts).size();
    std::vector<double> values;
    for (std::int64_t n = 0; n < cells; ++n) values.push_back(2 + std::sin(static_cast<double>(n)));
    return {{values}, values, values};
  }

  std::vector<double> values(int n) const {
    std::vector<double> result(static_cast<std::size_t>(whole.size()));
    copy_to_host<double>(fields[static_cast<std::size_t>(n)], whole, result);
    return result;
  }

  void apply(const Stage& stage, const comm::Tile& tile, AccumulatorBoard<double>* board) {
    StageViews<double> views;
    for (std::size_t n = 0; n < views.size(); ++n) views[n] = fields[n].view();
    const comm::GridView<const double> in = views[static_cast<std::size_t>(stage.from)];
    for (const auto& region : parts(tile))
      apply_stage<double>(comm::Space(), region, equation, boundary, stage, dt, in, views, board);
    comm::Space().fence("test");
  }

  HeatEquation<double> equation{grid, whole, material(GetParam())};
  Boundary<double> boundary{whole, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}};
  std::vector<Field<double>> fields;
};

TEST_P(StageOf, IsItsFormula) {
  const int from = 2, older = 3;
  for (const auto& tile : {comm::Tile{}, comm::Tile{2, 3, 8, true}}) {
    for (const int to : {0, older}) {  // both are read, too
      const auto Y_0 = values(0), Y = values(from), Y_older = values(older), Y_1 = values(1);
      // the heating alone, into a field that is put back
      auto kept = fields[1];
      fields[1] = Field<double>("euler", whole, ghosts);
      apply({.from = from, .to = 1, .rate = 0.7}, tile, nullptr);
      const auto euler = values(1);
      fields[1] = kept;

      AccumulatorBoard<double> board(equation, AccumulatorScales::for_capacity(3));
      apply({.first_of_step = false,
             .from = from,
             .older_field = older,
             .to = to,
             .rate = 0.7,
             .input = 1.7,
             .older = -0.6,
             .first = -2.3},
            tile, to == 0 ? &board : nullptr);
      const auto got = values(to);
      double change = 0;
      for (std::size_t n = 0; n < got.size(); ++n) {
        ASSERT_NEAR(got[n],
                    Y_0[n] + 1.7 * (Y[n] - Y_0[n]) - 0.6 * (Y_older[n] - Y_0[n]) -
                        2.3 * (Y_1[n] - Y_0[n]) + (euler[n] - Y[n]),
                    1e-10)
            << n << ", into field " << to;
        change = std::max(change, std::abs(got[n] - Y_0[n]));
      }
      if (to == 0) {
        EXPECT_EQ(board.collect().largest_change, change);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Coefficients, StageOf, testing::Bool());

}  // namespace
}  // namespace halotherm::solver
