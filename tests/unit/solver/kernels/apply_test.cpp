// SPDX-License-Identifier: MIT
// The step against a plain loop on the host, to the last bit, for every kind of coefficient and
// dimension.
#include "solver/kernels/apply.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace halotherm::solver {
namespace {

struct Problem {
  Grid grid;
  comm::Box owned;
  comm::Int3 ghosts;
  std::vector<double> conductivity;  ///< on the grown block
  std::vector<double> capacity;
  std::vector<double> source;
  std::vector<double> temperature;

  comm::Box all() const { return comm::grown(owned, ghosts, ghosts); }
  std::size_t at(int i, int j, int k) const {
    const auto box = all();
    return static_cast<std::size_t>((i - box.lower[0]) +
                                    box.extent(0) *
                                        ((j - box.lower[1]) + box.extent(1) * (k - box.lower[2])));
  }
};

Problem make_problem(int dimensions, int rows = 19) {
  Problem p;
  p.grid = {
      .dimensions = dimensions, .cells = {75, 1, 1}, .lower = {0, 0, 0}, .upper = {0.5, 1, 1}};
  if (dimensions > 1) p.grid.cells[1] = rows;
  if (dimensions > 2) p.grid.cells[2] = 11;
  p.owned = {{0, 0, 0}, p.grid.cells};
  p.ghosts = p.grid.ghosts(1);
  const auto cells = static_cast<std::size_t>(p.all().size());
  for (std::size_t n = 0; n < cells; ++n) {
    const auto x = static_cast<double>(n);
    p.conductivity.push_back(2 + std::sin(x));
    p.capacity.push_back(3 + std::cos(2 * x));
    p.source.push_back(10 * std::sin(3 * x));
    p.temperature.push_back(300 + 50 * std::sin(0.7 * x));
  }
  return p;
}

/// As the device rounds.
double multiply_add(double a, double b, double c) {
  return comm::kernels_run_on_host ? solver::multiply_add(a, b, c) : std::fma(a, b, c);
}

/// The same arithmetic in the same order, written as plainly as can be.
double reference(const Problem& p, bool varying, double dt, int i, int j, int k) {
  const auto T = [&](int a, int b, int c) { return p.temperature[p.at(a, b, c)]; };
  const auto resistivity = [&](int a, int b, int c) { return 1 / p.conductivity[p.at(a, b, c)]; };
  double sum = varying ? p.source[p.at(i, j, k)] : 5.0;
  for (int axis = 0; axis < p.grid.dimensions; ++axis) {
    const int d[3] = {axis == 0, axis == 1, axis == 2};
    const double h2 = p.grid.spacing(axis) * p.grid.spacing(axis);
    const double below = T(i - d[0], j - d[1], k - d[2]) - T(i, j, k);
    const double above = T(i + d[0], j + d[1], k + d[2]) - T(i, j, k);
    if (varying) {
      const double here = resistivity(i, j, k);
      const double lower = 1 / (resistivity(i - d[0], j - d[1], k - d[2]) + here) * (2 / h2);
      const double upper = 1 / (here + resistivity(i + d[0], j + d[1], k + d[2])) * (2 / h2);
      sum = sum + (lower * below + upper * above);
    } else {
      sum = multiply_add(2.0 / h2, below + above, sum);
    }
  }
  const double inverse_capacity = varying ? 1 / p.capacity[p.at(i, j, k)] : 1 / 3.0;
  return multiply_add(dt * inverse_capacity, sum, T(i, j, k));
}

/// One step on a region, from the temperatures of a problem: with physical sides those of its own
/// cells, the others NaN.
class Stepper {
 public:
  Stepper(const Problem& p, bool varying, std::vector<Side> sides = {})
      : problem_(p),
        equation_(
            p.grid, p.owned,
            varying ? Material{{p.conductivity}, p.capacity, p.source} : Material{{2.0}, 3.0, 5.0}),
        boundary_(p.owned, std::move(sides)),
        now_("now", p.owned, p.ghosts),
        next_("next", p.owned, p.ghosts) {
    copy_from_host<double>(p.temperature, p.all(), now_);
    if (boundary_.sides().empty()) return;
    std::vector<double> owned(static_cast<std::size_t>(p.owned.size()));
    copy_to_host<double>(now_, p.owned, owned);
    now_ = Field<double>("now", p.owned, p.ghosts);
    copy_from_host<double>(owned, p.owned, now_);
  }

  Field<double>& now() { return now_; }
  Boundary<double>& boundary() { return boundary_; }

  void step(const comm::Region& region) {
    work(EulerStep<double>{equation_, boundary_, dt}, region);
  }
  template <class Operator>
  void work(const Operator& op, const comm::Region& region) {
    apply(comm::Space(), region, op, std::as_const(now_).view(), next_.view());
    comm::Space().fence("test");
  }
  /// The values of an operator without further parameters on all cells.
  template <template <class> class Operator>
  std::vector<double> values_of() {
    work(Operator<double>{equation_, boundary_}, comm::Region(problem_.owned));
    return result();
  }
  void step(const comm::Box& box) { step(comm::Region(box)); }

  std::vector<double> result() const {
    std::vector<double> values(static_cast<std::size_t>(problem_.owned.size()));
    copy_to_host<double>(next_, problem_.owned, values);
    return values;
  }

  static constexpr double dt = 1e-6;

 private:
  const Problem& problem_;
  HeatEquation<double> equation_;
  Boundary<double> boundary_;
  Field<double> now_;
  Field<double> next_;
};

class DiffuseIn : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(DiffuseIn, EqualsAPlainLoop) {
  const auto [dimensions, varying] = GetParam();
  const auto p = make_problem(dimensions);
  Stepper stepper(p, varying);
  stepper.step(p.owned);
  const auto got = stepper.result();
  // GPUs form faces by a reciprocal that may be off by one unit in the last place
  const double tolerance = varying && !comm::kernels_run_on_host ? 1e-12 : 0;
  std::size_t n = 0;
  for (int k = 0; k < p.grid.cells[2]; ++k) {
    for (int j = 0; j < p.grid.cells[1]; ++j) {
      for (int i = 0; i < p.grid.cells[0]; ++i) {
        ASSERT_NEAR(got[n++], reference(p, varying, Stepper::dt, i, j, k), tolerance)
            << i << " " << j << " " << k;
      }
    }
  }
}

/// The interior's and the shell's kernels must round alike: every cut into regions gives the same
/// field.
TEST_P(DiffuseIn, DoesNotDependOnTheRegion) {
  const auto [dimensions, varying] = GetParam();
  const auto p = make_problem(dimensions);
  Stepper whole(p, varying);
  whole.step(p.owned);
  for (const int cut : {1, 2, 3}) {
    Stepper pieces(p, varying);
    const comm::Int3 inward{-cut, -cut * p.ghosts[1], -cut * p.ghosts[2]};
    const auto core = comm::grown(p.owned, inward, inward);
    pieces.step(core);
    pieces.step(comm::Region(comm::difference(p.owned, core)));
    EXPECT_EQ(pieces.result(), whole.result());
  }
}

TEST_P(DiffuseIn, DoesNotDependOnTheTile) {
  const auto [dimensions, varying] = GetParam();
  const auto p = make_problem(dimensions);
  Stepper first(p, varying);
  first.step(p.owned);
  for (const auto& tile :
       {comm::Tile{1, 1, 1, false}, comm::Tile{2, 3, 8, true}, comm::Tile{4, 8, 1000, true}}) {
    Stepper stepper(p, varying);
    comm::Region region(p.owned);
    region.set_tile(tile);
    stepper.step(region);
    EXPECT_EQ(stepper.result(), first.result()) << to_string(tile);
  }
}

/// Beyond physical sides ghost temperatures are computed where they are needed: the same step as
/// with ghost cells that hold them, although here those cells hold NaN.
void expect_nothing_read_beyond_sides(const Problem& p, bool varying) {
  const int dimensions = p.grid.dimensions;
  std::vector<Side> sides;
  for (int axis = 0; axis < dimensions; ++axis) {
    sides.push_back({axis, 0});
    sides.push_back({axis, 1});
  }
  Stepper by_condition(p, varying, sides);
  Stepper by_cells(p, varying);
  for (std::size_t s = 0; s < sides.size(); ++s) {
    const auto layer = Boundary<double>::ghost_layer(p.owned, sides[s]);
    std::vector<AffineGhost> conditions;
    std::vector<double> ghosts;
    comm::Int3 inward{0, 0, 0};
    inward[sides[s].axis] = sides[s].end == 0 ? 1 : -1;
    for (int k = layer.lower[2]; k < layer.upper[2]; ++k) {
      for (int j = layer.lower[1]; j < layer.upper[1]; ++j) {
        for (int i = layer.lower[0]; i < layer.upper[0]; ++i) {
          // one condition for all cells of the lower sides, one each on the upper ones
          const double beta =
              sides[s].end == 0 ? 600.0 : 600.0 + static_cast<double>(ghosts.size());
          if (conditions.empty() || sides[s].end == 1) conditions.push_back({-0.5, beta});
          ghosts.push_back(-0.5 * p.temperature[p.at(i + inward[0], j + inward[1], k + inward[2])] +
                           beta);
        }
      }
    }
    by_condition.boundary().set(s, conditions);
    copy_from_host<double>(ghosts, layer, by_cells.now());
  }
  for (const int cut : {0, 1}) {
    const comm::Int3 inward{-cut, -cut * p.ghosts[1], -cut * p.ghosts[2]};
    const auto core = comm::grown(p.owned, inward, inward);
    for (auto* stepper : {&by_condition, &by_cells}) {
      stepper->step(core);
      stepper->step(comm::Region(comm::difference(p.owned, core)));
    }
    EXPECT_EQ(by_condition.result(), by_cells.result());
  }
}

TEST_P(DiffuseIn, ReadsNothingBeyondPhysicalSides) {
  const auto [dimensions, varying] = GetParam();
  expect_nothing_read_beyond_sides(make_problem(dimensions), varying);
  expect_nothing_read_beyond_sides(make_problem(dimensions, 2),
                                   varying);  // no row but those at sides
}

INSTANTIATE_TEST_SUITE_P(Dimensions, DiffuseIn,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool()));

class OperatorsIn : public testing::TestWithParam<std::tuple<int, bool>> {};

/// Euler step and Jacobi sweep are both the temperature plus a multiple of the residual.
TEST_P(OperatorsIn, ShareTheStencil) {
  const int dimensions = std::get<0>(GetParam());
  const bool varying = std::get<1>(GetParam());
  const auto p = make_problem(dimensions);
  Stepper stepper(p, varying);
  stepper.step(p.owned);
  const auto euler = stepper.result();
  const auto residual = stepper.values_of<Residual>();
  const auto jacobi = stepper.values_of<Jacobi>();
  std::size_t n = 0;
  for (int k = 0; k < p.grid.cells[2]; ++k) {
    for (int j = 0; j < p.grid.cells[1]; ++j) {
      for (int i = 0; i < p.grid.cells[0]; ++i, ++n) {
        const double T = p.temperature[p.at(i, j, k)];
        const double inverse_capacity = varying ? 1 / p.capacity[p.at(i, j, k)] : 1 / 3.0;
        EXPECT_EQ(euler[n], multiply_add(Stepper::dt * inverse_capacity, residual[n], T));
        double diagonal = 0;
        for (int axis = 0; axis < dimensions; ++axis) {
          const int d[3] = {axis == 0, axis == 1, axis == 2};
          const auto face = [&](int sign) {
            const double here = p.conductivity[p.at(i, j, k)];
            const double there =
                p.conductivity[p.at(i + sign * d[0], j + sign * d[1], k + sign * d[2])];
            return varying ? 2 / (1 / here + 1 / there) : 2.0;
          };
          diagonal += (face(-1) + face(1)) / (p.grid.spacing(axis) * p.grid.spacing(axis));
        }
        EXPECT_NEAR(jacobi[n], T + 2.0 / 3 * residual[n] / diagonal, 1e-12 * std::abs(T));
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(all, OperatorsIn,
                         testing::Combine(testing::Values(1, 2, 3), testing::Bool()));

}  // namespace
}  // namespace halotherm::solver
