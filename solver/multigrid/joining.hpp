// SPDX-License-Identifier: MIT
// Which cells of a level are joined.
#pragma once

#include "solver/multigrid/coarsening.hpp"

#include <array>
#include <vector>

namespace halotherm::solver {

/// What cells are joined by along an axis: faces conduct in proportion to `conductivity` over the
/// square of the distance of the centres on their two sides.
struct AxisStrength {
  std::vector<double> widths;  ///< of cells
  double conductivity = 0;
};
/// A coarsening, and a lower bound of D⁻¹A for what it cannot correct: the share of the weakest
/// face between joined cells in all of a cell; 1 if none are joined.
struct Joining {
  Coarsening coarsening;
  double share = 1;
};

/// Joins what conducts at least a fourth as well as the strongest face of the other axes: where
/// cells are flat, errors along weak axes are not smooth, and must stay visible. So where widths
/// differ along several axes, thin cells are joined first, on as many levels as it takes.
Joining joining_of(const LevelGrid& fine, const std::array<AxisStrength, 3>& strengths);
/// The same of a separable matrix, where the share is 0.3, and 0.45 of the strongest face of an
/// axis. A last cell without a pair joins the two below it if all others are pairs and it is thin:
/// at most 0.8 as wide as the one below.
Joining joining_of(const LevelGrid& fine, const SeparableMatrix& matrix);

/// The widths of coarse cells along an axis.
std::vector<double> joined_widths(const Coarsening& coarsening, int axis,
                                  const std::vector<double>& widths);
/// The cells of all levels as a multiple of those of the finest, where K is one number. `widths`:
/// of cells along each axis, in one unit.
double cells_of_all_levels(std::array<std::vector<double>, 3> widths);

}  // namespace halotherm::solver
