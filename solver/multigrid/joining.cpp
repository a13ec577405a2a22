// SPDX-License-Identifier: MIT
#include "solver/multigrid/joining.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace halotherm::solver {

namespace {

/// In shares of the strongest face of the other axes.
struct Thresholds {
  double axis;  ///< none of an axis is joined unless its strongest face reaches this
  double face;
};

/// How well the faces between cells along each axis conduct.
using Faces = std::array<std::vector<double>, 3>;

Faces faces_between(const std::array<AxisStrength, 3>& strengths) {
  Faces all;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto& widths = strengths[axis].widths;
    for (std::size_t n = 1; n < widths.size(); ++n) {
      const double distance = (widths[n - 1] + widths[n]) / 2;
      all[axis].push_back(strengths[axis].conductivity / (distance * distance));
    }
  }
  return all;
}

double strongest(const std::vector<double>& faces) {
  return faces.empty() ? 0.0 : std::ranges::max(faces);
}

/// The first cell of each coarse one, then the number of cells: pairs from below, each across a
/// face of at least `least`. A cell is left to the one above it if the face towards that conducts
/// more than twice as well: two cells that hold together may not be joined to others on both sides,
/// as no sweep and no correction would change what they have in common.
std::vector<int> first_of_pairs(const std::vector<double>& faces, double least) {
  constexpr double far_stronger = 2;
  std::vector<int> first;
  const auto last = faces.size();
  for (std::size_t cell = 0; cell <= last;) {
    first.push_back(static_cast<int>(cell));
    const bool joined = cell < last && faces[cell] >= least &&
                        !(cell + 1 < last && faces[cell + 1] > far_stronger * faces[cell]);
    cell += joined ? 2 : 1;
  }
  first.push_back(static_cast<int>(last) + 1);
  return first;
}

/// Whether all are pairs, but for the last one of an odd number.
bool all_joined(const std::vector<int>& first) {
  for (std::size_t n = 1; n + 1 < first.size(); ++n) {
    if (first[n] != first[n - 1] + 2) return false;
  }
  return true;
}

/// The face that conducts least of those inside of pairs.
double weakest_joined(const std::vector<double>& faces, const std::vector<int>& first) {
  double weakest = strongest(faces);
  for (std::size_t n = 1; n < first.size(); ++n) {
    if (first[n] == first[n - 1] + 2)
      weakest = std::min(weakest, faces[static_cast<std::size_t>(first[n - 1])]);
  }
  return weakest;
}

/// As first_of_pairs gives them, for an axis beside two whose strongest faces conduct `one` and
/// `other`.
std::vector<int> first_along(const std::vector<double>& faces, double one, double other,
                             const Thresholds& thresholds) {
  constexpr double almost = 1 - 1e-6;  // or the rounding of widths would decide
  const double best = almost * std::max(one, other);
  const bool weak = strongest(faces) < thresholds.axis * best;
  return first_of_pairs(faces,
                        weak ? std::numeric_limits<double>::infinity() : thresholds.face * best);
}

Joining joining_by(const LevelGrid& fine, const Faces& faces, const Thresholds& thresholds) {
  Joining result{{fine}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double one = strongest(faces[(axis + 1) % 3]), other = strongest(faces[(axis + 2) % 3]);
    const auto& along = faces[axis];
    const auto first = first_along(along, one, other, thresholds);
    if (first.size() == along.size() + 2) continue;  // none is joined
    if (all_joined(first)) {
      result.coarsening.factors[axis] = 2;
    } else {
      result.coarsening.partly[axis] = PartlyJoined(first);
    }
    const double weakest = weakest_joined(along, first);
    if (weakest > 0) result.share = std::min(result.share, weakest / (weakest + one + other));
  }
  return result;
}

constexpr Thresholds of_faces{0.25, 0.25}, of_products{0.45, 0.3};

}  // namespace

Joining joining_of(const LevelGrid& fine, const std::array<AxisStrength, 3>& strengths) {
  return joining_by(fine, faces_between(strengths), of_faces);
}

Joining joining_of(const LevelGrid& fine, const SeparableMatrix& matrix) {
  constexpr double thin = 0.8;
  std::array<AxisStrength, 3> strengths;
  for (int axis = 0; axis < 3; ++axis) {
    const auto& along = matrix.along(axis);
    strengths[static_cast<std::size_t>(axis)] = {along.area, along.conductivity};
  }
  auto result = joining_by(fine, faces_between(strengths), of_products);
  auto& coarsening = result.coarsening;
  for (int axis = 0; axis < 3; ++axis) {
    if (coarsening.factors[axis] == 1 || fine.cells[axis] % 2 == 0) continue;
    const auto& area = matrix.along(axis).area;
    coarsening.ends_in_three[axis] = area.back() <= thin * area[area.size() - 2];
  }
  return result;
}

namespace {

/// `first`: of the cells that are joined, as first_of_pairs gives them.
std::vector<double> joined(const std::vector<double>& widths, const std::vector<int>& first) {
  std::vector<double> result;
  for (std::size_t n = 1; n < first.size(); ++n) {
    result.push_back(
        std::accumulate(widths.begin() + first[n - 1], widths.begin() + first[n], 0.0));
  }
  return result;
}

}  // namespace

std::vector<double> joined_widths(const Coarsening& coarsening, int axis,
                                  const std::vector<double>& widths) {
  std::vector<int> first{0};
  for (int coarse = 0; coarse < coarsening.coarse_cells(axis); ++coarse)
    first.push_back(children(coarsening, axis, coarse).end);
  return joined(widths, first);
}

double cells_of_all_levels(std::array<std::vector<double>, 3> widths) {
  const auto cells = [&] {
    return static_cast<double>(widths[0].size() * widths[1].size() * widths[2].size());
  };
  const double finest = cells();
  double all = finest;
  while (cells() > 1) {
    const auto faces = faces_between({AxisStrength{widths[0], 1}, {widths[1], 1}, {widths[2], 1}});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto first = first_along(faces[axis], strongest(faces[(axis + 1) % 3]),
                                     strongest(faces[(axis + 2) % 3]), of_faces);
      widths[axis] = joined(widths[axis], first);
    }
    all += cells();
  }
  return all / finest;
}

}  // namespace halotherm::solver
