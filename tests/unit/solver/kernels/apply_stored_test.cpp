// SPDX-License-Identifier: MIT
// Steps with stored faces against a plain loop, on even and uneven grids, for every region and
// tile.
#include "solver/equation/stored_faces.hpp"
#include "solver/kernels/apply.hpp"

#include "tests/support/uneven_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace halotherm::solver {
namespace {

constexpr double dt = 1e-5;

/// Two materials in a pattern, with a resistance between them.
struct Problem {
  Grid grid;
  comm::Box owned, all;
  Material material{{}, 1.0, 0.0, {}};
  std::vector<double> temperature;

  Problem(int dimensions, bool uneven) {
    grid = {.dimensions = dimensions, .cells = {75, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
    if (dimensions > 1) grid.cells[1] = 19;
    if (dimensions > 2) grid.cells[2] = 11;
    if (uneven) test::make_uneven(grid);
    owned = {{0, 0, 0}, grid.cells};
    const auto ghosts = grid.ghosts(1);
    all = comm::grown(owned, ghosts, ghosts);
    std::vector<double> conductivity;
    std::vector<std::uint16_t> materials;
    for (std::int64_t n = 0; n < all.size(); ++n) {
      const auto x = static_cast<double>(n);
      materials.push_back(std::sin(0.4 * x) > 0.3 ? 1 : 0);
      conductivity.push_back(2 + std::sin(x));
      temperature.push_back(300 + 50 * std::sin(0.7 * x));
    }
    material.conductivity = {conductivity};
    material.contacts = {
        .pairs = {{{1, 0}, 0.05}},
        .of_cell = std::make_shared<const std::vector<std::uint16_t>>(std::move(materials))};
  }
  std::size_t at(int i, int j, int k) const {
    return static_cast<std::size_t>((i - all.lower[0]) +
                                    all.extent(0) *
                                        ((j - all.lower[1]) + all.extent(1) * (k - all.lower[2])));
  }
};

std::vector<double> plain_loop(const Problem& p) {
  std::vector<std::vector<double>> faces;
  for (int axis = 0; axis < p.grid.dimensions; ++axis)
    faces.push_back(
        lower_faces(p.grid, p.all, axis, p.material.conductivity.front(), p.material.contacts));
  std::vector<double> result;
  for (int k = 0; k < p.grid.cells[2]; ++k) {
    for (int j = 0; j < p.grid.cells[1]; ++j) {
      for (int i = 0; i < p.grid.cells[0]; ++i) {
        const comm::Int3 cell{i, j, k};
        const double here = p.temperature[p.at(i, j, k)];
        double sum = 0;
        for (int axis = 0; axis < p.grid.dimensions; ++axis) {
          const int d[3] = {axis == 0, axis == 1, axis == 2};
          const auto below = p.at(i - d[0], j - d[1], k - d[2]),
                     above = p.at(i + d[0], j + d[1], k + d[2]);
          const auto& along = faces[static_cast<std::size_t>(axis)];
          const double seen = p.grid.even() ? 1 : 2 / p.grid.width(axis, cell[axis]);
          sum = sum + (along[p.at(i, j, k)] * seen * (p.temperature[below] - here) +
                       along[above] * seen * (p.temperature[above] - here));
        }
        result.push_back(here + dt * sum);
      }
    }
  }
  return result;
}

class Stepper {
 public:
  explicit Stepper(const Problem& p)
      : problem_(p),
        equation_(p.grid, p.owned, p.material),
        boundary_(p.owned, {}),
        now_("now", p.owned, p.grid.ghosts(1)),
        next_("next", p.owned, p.grid.ghosts(1)) {
    copy_from_host<double>(p.temperature, p.all, now_);
  }
  void step(const comm::Region& region) {
    apply(comm::Space(), region, EulerStep<double>{equation_, boundary_, dt},
          std::as_const(now_).view(), next_.view());
    comm::Space().fence("test");
  }
  std::vector<double> result() const {
    std::vector<double> values(static_cast<std::size_t>(problem_.owned.size()));
    copy_to_host<double>(next_, problem_.owned, values);
    return values;
  }

 private:
  const Problem& problem_;
  HeatEquation<double> equation_;
  Boundary<double> boundary_;
  Field<double> now_, next_;
};

class StoredIn : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(StoredIn, EqualsAPlainLoop) {
  const auto [dimensions, uneven] = GetParam();
  const Problem p(dimensions, uneven);
  Stepper stepper(p);
  stepper.step(comm::Region(p.owned));
  const auto got = stepper.result(), expected = plain_loop(p);
  for (std::size_t n = 0; n < expected.size(); ++n) ASSERT_NEAR(got[n], expected[n], 1e-12) << n;
}

TEST_P(StoredIn, DependsNeitherOnRegionsNorOnTiles) {
  const auto [dimensions, uneven] = GetParam();
  const Problem p(dimensions, uneven);
  Stepper whole(p);
  whole.step(comm::Region(p.owned));
  const auto ghosts = p.grid.ghosts(1);
  for (const int cut : {1, 3}) {
    Stepper pieces(p);
    const comm::Int3 inward{-cut, -cut * ghosts[1], -cut * ghosts[2]};
    const auto core = comm::grown(p.owned, inward, inward);
    pieces.step(comm::Region(core));
    pieces.step(comm::Region(comm::difference(p.owned, core)));
    EXPECT_EQ(pieces.result(), whole.result());
  }
  for (const auto& tile : {comm::Tile{1, 1, 1, false}, comm::Tile{4, 8, 1000, true}}) {
    Stepper stepper(p);
    comm::Region region(p.owned);
    region.set_tile(tile);
    stepper.step(region);
    EXPECT_EQ(stepper.result(), whole.result()) << to_string(tile);
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, StoredIn,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool()));

}  // namespace
}  // namespace halotherm::solver
