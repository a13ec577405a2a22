// SPDX-License-Identifier: MIT
// Steps whose faces follow the temperature, with contacts, on even and uneven grids: against a
// plain loop, for every region and tile, and against the exact flow through layers.
#include "solver/kernels/apply.hpp"

#include "tests/support/uneven_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace halotherm::solver {
namespace {

constexpr double dt = 1e-5;

Grid grid_of(int dimensions, bool uneven) {
  Grid grid{.dimensions = dimensions, .cells = {75, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  if (dimensions > 1) grid.cells[1] = 19;
  if (dimensions > 2) grid.cells[2] = 11;
  if (uneven) test::make_uneven(grid);
  return grid;
}

/// Three materials, two of which have a contact: in a fine pattern with temperatures to match, or
/// smooth, in blocks where most stencils have one material and one line of its K. Or the first one
/// alone, with cells whose neighbours are on its line, on the next one, and anywhere.
enum class Pattern { rough, smooth, alone };

struct Problem {
  Grid grid;
  comm::Box owned, all;
  TabulatedMaterial material;
  std::vector<double> temperature;

  Problem(int dimensions, bool uneven, bool isotropic, Pattern pattern)
      : grid(grid_of(dimensions, uneven)) {
    owned = {{0, 0, 0}, grid.cells};
    const auto ghosts = grid.ghosts(1);
    all = comm::grown(owned, ghosts, ghosts);
    const PropertyTable rising{{300, 2}, {310, 3}, {350, 5}}, falling{{280, 9}, {340, 1}};
    material.materials = {{{rising}, {{0, 1}}}, {{falling}, {{0, 2}}}, {{{{0, 4}}}, {{0, 1}}}};
    if (!isotropic) {
      material.materials[0].conductivity = {rising, falling, {{0, 3}}};
    }
    material.contacts = {{{2, 0}, 0.05}};
    for (std::int64_t n = 0; n < all.size(); ++n) add(n, pattern);
    if (pattern != Pattern::alone) return;
    material.materials.resize(1);
    material.of_cell.clear();
    material.contacts.clear();
  }
  void add(std::int64_t n, Pattern pattern) {
    if (pattern == Pattern::rough) return add_rough(n);
    add_smooth(n);
    if (pattern == Pattern::alone && n % all.extent(0) < 30)
      temperature.back() = 300 + 50 * std::sin(0.7 * static_cast<double>(n));
  }
  int number(std::size_t cell) const {
    return material.of_cell.empty() ? 0 : material.of_cell[cell];
  }
  void add_rough(std::int64_t n) {
    const auto x = static_cast<double>(n);
    material.of_cell.push_back(std::sin(0.4 * x) > 0.3 ? 2 : std::cos(0.1 * x) > 0.2 ? 1 : 0);
    temperature.push_back(300 + 50 * std::sin(0.7 * x));
  }
  void add_smooth(std::int64_t n) {
    const auto row = n / all.extent(0), i = n % all.extent(0);
    const auto j = row % all.extent(1), k = row / all.extent(1);
    material.of_cell.push_back(static_cast<std::uint8_t>((i / 26 + j / 9 + k / 5) % 3));
    temperature.push_back(315 + 40 * std::sin(0.03 * static_cast<double>(i + 2 * j + 3 * k)));
  }
  std::size_t at(const comm::Int3& cell) const {
    const auto& [i, j, k] = cell;
    return static_cast<std::size_t>((i - all.lower[0]) +
                                    all.extent(0) *
                                        ((j - all.lower[1]) + all.extent(1) * (k - all.lower[2])));
  }
};

/// The conductance of the face between two cells [W/(m² K)].
double conductance(const Problem& p, int axis, const comm::Int3& below, const comm::Int3& above) {
  const auto one = p.at(below), other = p.at(above);
  const auto K = [&](std::size_t cell) {
    const auto& tables =
        p.material.materials[static_cast<std::size_t>(p.number(cell))].conductivity;
    return value_at(tables[tables.size() == 1 ? 0 : static_cast<std::size_t>(axis)],
                    p.temperature[cell]);
  };
  const double h = p.grid.width(axis, below[axis]), h_above = p.grid.width(axis, above[axis]);
  const int materials = 10 * p.number(one) + p.number(other);
  if (materials % 11 == 0) return (K(one) + K(other)) / (h + h_above);
  const double R = materials == 20 || materials == 2 ? 0.05 : 0;
  return 1 / (h / (2 * K(one)) + R + h_above / (2 * K(other)));
}

std::vector<double> plain_loop(const Problem& p) {
  std::vector<double> result;
  for (std::int64_t n = 0; n < p.owned.size(); ++n) {
    const comm::Int3 cell{static_cast<int>(n % p.owned.extent(0)),
                          static_cast<int>(n / p.owned.extent(0) % p.owned.extent(1)),
                          static_cast<int>(n / p.owned.extent(0) / p.owned.extent(1))};
    const double here = p.temperature[p.at(cell)];
    double sum = 0;
    for (int axis = 0; axis < p.grid.dimensions; ++axis) {
      auto below = cell, above = cell;
      --below[axis];
      ++above[axis];
      sum += (conductance(p, axis, below, cell) * (p.temperature[p.at(below)] - here) +
              conductance(p, axis, cell, above) * (p.temperature[p.at(above)] - here)) /
             p.grid.width(axis, cell[axis]);
    }
    const auto& capacity = p.material.materials[static_cast<std::size_t>(p.number(p.at(cell)))];
    result.push_back(here + dt * sum / capacity.volumetric_heat_capacity.front().value);
  }
  return result;
}

template <class Real = double>
class Stepper {
 public:
  explicit Stepper(const Problem& p, const std::vector<Side>& sides = {})
      : problem_(p),
        equation_(p.grid, p.owned, p.material),
        boundary_(p.owned, sides),
        now_("now", p.owned, p.grid.ghosts(1)),
        next_("next", p.owned, p.grid.ghosts(1)) {
    copy_from_host<Real>(std::vector<Real>(p.temperature.begin(), p.temperature.end()), p.all,
                         now_);
    for (std::size_t s = 0; s < sides.size(); ++s) {
      const AffineGhost condition{-0.5, 480 + 3 * static_cast<double>(s)};
      boundary_.set(s, std::span(&condition, 1));
    }
  }
  template <class Operator>
  void work(const Operator& op, const comm::Region& region) {
    apply(comm::Space(), region, op, std::as_const(now_).view(), next_.view());
    comm::Space().fence("test");
  }
  void step(const comm::Region& region) { work(EulerStep<Real>{equation_, boundary_, dt}, region); }
  /// Of each operator.
  std::vector<std::vector<Real>> results(const comm::Region& region) {
    std::vector<std::vector<Real>> all;
    const auto add = [&](const auto& op) {
      work(op, region);
      all.push_back(result());
    };
    add(EulerStep<Real>{equation_, boundary_, dt});
    const auto now = std::as_const(now_).view();
    add(RungeKuttaStage<Real>{equation_, boundary_, dt, 0.5, 0.25, 0.125, now, now, now});
    add(Residual<Real>{equation_, boundary_});
    add(Jacobi<Real>{equation_, boundary_});
    return all;
  }
  std::vector<Real> result() const {
    std::vector<Real> values(static_cast<std::size_t>(problem_.owned.size()));
    copy_to_host<Real>(next_, problem_.owned, values);
    return values;
  }

 private:
  const Problem& problem_;
  HeatEquation<Real> equation_;
  Boundary<Real> boundary_;
  Field<Real> now_, next_;
};

class TabulatedIn : public testing::TestWithParam<std::tuple<int, bool, bool, Pattern>> {
 public:
  static Problem problem() {
    return std::apply([](auto... of) { return Problem(of...); }, GetParam());
  }
};

TEST_P(TabulatedIn, EqualsAPlainLoop) {
  const auto p = problem();
  Stepper<> stepper(p);
  stepper.step(comm::Region(p.owned));
  const auto got = stepper.result(), expected = plain_loop(p);
  for (std::size_t n = 0; n < expected.size(); ++n) ASSERT_NEAR(got[n], expected[n], 2e-12) << n;
}

TEST_P(TabulatedIn, DependsNeitherOnRegionsNorOnTiles) {
  const auto p = problem();
  Stepper<> whole(p);
  whole.step(comm::Region(p.owned));
  const auto ghosts = p.grid.ghosts(1);
  for (const int cut : {1, 3}) {
    Stepper<> pieces(p);
    const comm::Int3 inward{-cut, -cut * ghosts[1], -cut * ghosts[2]};
    const auto core = comm::grown(p.owned, inward, inward);
    pieces.step(comm::Region(core));
    pieces.step(comm::Region(comm::difference(p.owned, core)));
    EXPECT_EQ(pieces.result(), whole.result());
  }
  for (const auto& tile : {comm::Tile{1, 1, 1, false}, comm::Tile{4, 8, 1000, true}}) {
    Stepper<> stepper(p);
    comm::Region region(p.owned);
    region.set_tile(tile);
    stepper.step(region);
    EXPECT_EQ(stepper.result(), whole.result()) << to_string(tile);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Dimensions, TabulatedIn,
    testing::Combine(testing::Values(1, 2, 3), testing::Bool(), testing::Bool(),
                     testing::Values(Pattern::rough, Pattern::smooth, Pattern::alone)));

/// Threads that take two rows within a material leave out all that single rows look at: the same
/// bits, inside and at sides, where the last cell of a row is alone in its pack.
template <class Real>
void expect_rows_alike(const Problem& p, const std::vector<Side>& sides) {
  Stepper<Real> singles(p, sides);
  comm::Region region(p.owned);
  region.set_tile({.rows = 1, .planes = 4});
  const auto expected = singles.results(region);
  for (const int planes : {1, 4, 5}) {
    Stepper<Real> pairs(p, sides);
    region.set_tile({.rows = 2, .planes = planes});
    EXPECT_EQ(pairs.results(region), expected) << planes;
  }
}

TEST(TabulatedMedium, PairsOfRowsWithinAMaterialHaveTheBitsOfSingleRows) {
  if (comm::kernels_run_on_host) GTEST_SKIP() << "no GPU";
  std::vector<Side> sides;
  for (int axis = 0; axis < 3; ++axis) {
    sides.push_back({axis, 0});
    sides.push_back({axis, 1});
  }
  const PropertyTable one_capacity{{0, 1}}, capacity{{290, 1}, {320, 1.5}, {320, 3}, {350, 1.2}};
  for (const bool uneven : {false, true}) {
    Problem p(3, uneven, true, Pattern::alone);
    for (const auto& heat_capacity : {one_capacity, capacity}) {
      p.material.materials[0].volumetric_heat_capacity = heat_capacity;
      for (const auto& of_sides : {std::vector<Side>{}, sides}) {
        expect_rows_alike<double>(p, of_sides);
        expect_rows_alike<float>(p, of_sides);
      }
    }
  }
}

/// Two layers of K linear in T with a contact between them: the temperatures that the integrals of
/// K give (Kirchhoff 1894) do not change in a step, whatever the widths of the cells are.
TEST(TabulatedMedium, KeepsTheExactFlowThroughLayersOfUnevenCells) {
  const PropertyTable first{{200, 2}, {500, 8}}, second{{200, 12}, {500, 6}};
  constexpr double R = 0.02, flux = 300, T_lower = 450;
  Grid grid{.dimensions = 1, .cells = {40, 1, 1}, .lower = {0, 0, 0}, .upper = {1, 1, 1}};
  std::vector<double> faces{0};
  for (int i = 1; i <= 40; ++i) faces.push_back(faces.back() + 0.02 + 0.01 * std::sin(i));
  grid.upper[0] = faces.back();
  grid.faces[0] = std::make_shared<const std::vector<double>>(faces);
  const comm::Box owned{{0, 0, 0}, {40, 1, 1}};
  TabulatedMaterial material{{{{first}, {{0, 1}}}, {{second}, {{0, 1}}}}, {}, 0.0, {{{0, 1}, R}}};
  for (int i = -1; i <= 40; ++i) material.of_cell.push_back(i < 15 ? 0 : 1);
  // where the integral of K from `from` on is `heat`, for K = a + b T
  const auto after = [](const PropertyTable& K, double from, double heat) {
    const double b = (K[1].value - K[0].value) / 300, a = K[0].value - 200 * b;
    return (-a + std::sqrt((a + b * from) * (a + b * from) + 2 * b * heat)) / b;
  };
  // between centres in a material exactly, beside a contact with K of the cells, as kernels see it
  std::vector<double> T{T_lower};
  for (int i = 1; i < 40; ++i) {
    const auto& K = i < 15 ? first : second;
    const double h_below = grid.width(0, i - 1), h = grid.width(0, i);
    if (i != 15) {
      T.push_back(after(K, T.back(), -flux * (h_below + h) / 2));
      continue;
    }
    const double face = T.back() - flux * (h_below / 2 / value_at(first, T.back()) + R);
    double next = face;
    for (int n = 0; n < 60; ++n) next = face - flux * h / 2 / value_at(second, next);
    T.push_back(next);
  }
  HeatEquation<double> equation(grid, owned, material);
  Boundary<double> boundary(owned, {});
  Field<double> now("now", owned, {1, 0, 0}), next("next", owned, {1, 0, 0});
  copy_from_host<double>(T, owned, now);
  const comm::Box inner{{1, 0, 0}, {39, 1, 1}};
  apply(comm::Space(), comm::Region(inner), EulerStep<double>{equation, boundary, dt},
        std::as_const(now).view(), next.view());
  comm::Space().fence("test");
  std::vector<double> result(38);
  copy_to_host<double>(next, inner, result);
  for (std::size_t n = 0; n < result.size(); ++n) EXPECT_NEAR(result[n], T[n + 1], 1e-11) << n;
}

}  // namespace
}  // namespace halotherm::solver
