// SPDX-License-Identifier: MIT
// A separable matrix, the next coarser one, and what lies between, for tests and benchmarks.
#pragma once

#include "solver/linear/smoother.hpp"
#include "solver/multigrid/ascent.hpp"

#include <cmath>
#include <vector>

namespace halotherm::solver {

/// K = 1 on cells whose widths vary by 1 to `ratio`, with sides of several kinds. If they vary, odd
/// numbers of cells end with three that are joined.
struct SeparableProblem {
  SeparableProblem(const comm::Int3& cells, double ratio)
      : grid{3, cells, {false, false, false}},
        box{{0, 0, 0}, cells},
        fine(grid,
             {along(cells[0], ratio, 2, 0), along(cells[1], ratio, 0, 0.05),
              along(cells[2], ratio, 0, 2)},
             0),
        coarsening(joined(grid, ratio > 1)),
        coarse(coarsened(coarsening, fine)),
        coarse_box{{0, 0, 0}, coarsening.coarse().cells},
        interpolation(coarsening, fine, coarse, 1.02),
        b(zero_field(grid, box, "b", Ascent::sweeps)),
        x(zero_field(grid, box, "x", Ascent::sweeps)),
        next(zero_field(grid, box, "next", Ascent::sweeps)),
        coarse_x(zero_field(coarsening.coarse(), coarse_box, "coarse x", Ascent::sweeps)) {
    fill(b, box, 0.37F);
    fill(coarse_x, coarse_box, 0.91F);
  }

  Ascent ascent() const {
    return {
        grid,     fine.view(),    interpolation.view(), chebyshev_weights<Ascent::sweeps>(1. / 3),
        b.view(), coarse_x.view()};
  }

  LevelGrid grid;
  comm::Box box;
  SeparableMatrix fine;
  Coarsening coarsening;
  SeparableMatrix coarse;
  comm::Box coarse_box;
  Interpolation interpolation;
  Field<float> b, x, next, coarse_x;

 private:
  static Coarsening joined(const LevelGrid& grid, bool ends_in_three) {
    Coarsening result{grid, {2, 2, 2}};
    for (int axis = 0; axis < 3; ++axis) {
      const int cells = grid.cells[axis];
      result.ends_in_three[axis] = ends_in_three && cells > 1 && cells % 2 == 1;
    }
    return result;
  }
  static AxisFactors along(int cells, double ratio, double first, double last) {
    AxisFactors factors;
    factors.conductivity = 1;
    for (int n = 0; n < cells; ++n) factors.area.push_back(std::pow(ratio, -(n % 7) / 6.));
    factors.face.push_back(first);
    for (std::size_t n = 1; n < factors.area.size(); ++n)
      factors.face.push_back(2 / (factors.area[n - 1] + factors.area[n]));
    factors.face.push_back(last);
    return factors;
  }
  static void fill(Field<float>& field, const comm::Box& box, float step) {
    std::vector<float> values(static_cast<std::size_t>(box.size()));
    for (std::size_t n = 0; n < values.size(); ++n)
      values[n] = std::sin(step * static_cast<float>(n % 4099));
    copy_from_host<float>(values, box, field);
  }
};

}  // namespace halotherm::solver
