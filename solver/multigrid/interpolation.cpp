// SPDX-License-Identifier: MIT
#include "solver/multigrid/interpolation.hpp"

#include <algorithm>
#include <cmath>

namespace halotherm::solver {

namespace {

/// The centres of cells of these widths, in the same unit.
std::vector<double> centres_of(const std::vector<double>& widths) {
  std::vector<double> centres;
  double end = 0;
  for (const double width : widths) {
    centres.push_back(end + width / 2);
    end += width;
  }
  return centres;
}

/// Along one axis.
struct Axis {
  const AxisFactors& fine;
  const AxisFactors& coarse;
  bool periodic;
  std::vector<double> fine_centres = centres_of(fine.area);
  std::vector<double> coarse_centres = centres_of(coarse.area);

  int coarse_cells() const { return static_cast<int>(coarse.area.size()); }
  AxisWeights weights(int index, int parent) const {
    const double way = fine_centres[at(index)] - coarse_centres[at(parent)];
    const int cells = coarse_cells();
    const int beyond = parent + (way < 0 ? -1 : 1);
    const bool at_side = !periodic && (beyond < 0 || beyond == cells);
    if (way == 0) return {parent, parent, 0, 1};
    if (at_side) {
      const double share = std::abs(way) / (coarse.area[at(parent)] / 2);
      const double face = temperature_of_face(parent, way < 0 ? 0 : cells);
      return {parent, parent, 0, static_cast<float>(1 - share * (1 - face))};
    }
    // a periodic neighbour is a ghost cell
    const auto other = at((beyond + cells) % cells);
    const double distance = (coarse.area[at(parent)] + coarse.area[other]) / 2;
    const auto share = static_cast<float>(std::abs(way) / distance);
    if (way < 0) return {beyond, parent, share, 1 - share};
    return {parent, beyond, 1 - share, share};
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  /// Where the cell at the side has 1, and 0 is beyond.
  double temperature_of_face(int cell, int face) const {
    const double half = 2 * coarse.conductivity / coarse.area[at(cell)];
    return half > 0 ? std::max(0.0, 1 - coarse.face[at(face)] / half) : 1.0;
  }
};

/// With cells beyond the sides: those beyond a periodic one take from ghost cells, others nothing.
Kokkos::View<AxisWeights*, comm::Memory> with_margin(const std::vector<AxisWeights>& weights,
                                                     bool periodic, int coarse_cells) {
  constexpr int margin = SeparableMatrix::margin;
  const int cells = static_cast<int>(weights.size());
  const Kokkos::View<AxisWeights*, comm::Memory> device(
      "interpolation", static_cast<std::size_t>(cells + 2 * margin));
  const auto host = Kokkos::create_mirror_view(device);
  for (int index = -margin; index < cells + margin; ++index) {
    const int turns = (index < 0 ? index - cells + 1 : index) / cells;
    const int inside = periodic ? index - turns * cells : std::clamp(index, 0, cells - 1);
    auto weight = weights[static_cast<std::size_t>(inside)];
    if (periodic) {
      weight.lower += turns * coarse_cells;
      weight.upper += turns * coarse_cells;
    } else if (inside != index) {
      weight = {weight.upper, weight.upper, 0, 0};
    }
    host(static_cast<std::size_t>(index + margin)) = weight;
  }
  Kokkos::deep_copy(device, host);
  return device;
}

}  // namespace

Interpolation::Interpolation(const Coarsening& coarsening, const SeparableMatrix& fine,
                             const SeparableMatrix& coarse, double factor) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool periodic = coarsening.fine.periodic[axis];
    const Axis one{fine.along(axis), coarse.along(axis), periodic};
    auto& weights = weights_[static_cast<std::size_t>(axis)];
    for (int index = 0; index < coarsening.fine.cells[axis]; ++index)
      weights.push_back(one.weights(index, coarsening.parent(axis, index)));
    auto& device = axis == 0 ? along_x_ : axis == 1 ? along_y_ : along_z_;
    device = with_margin(weights, periodic, one.coarse_cells());
    if (axis > 0) continue;
    auto multiplied = weights;
    for (auto& weight : multiplied) {
      weight.low *= static_cast<float>(factor);
      weight.high *= static_cast<float>(factor);
    }
    multiplied_along_x_ = with_margin(multiplied, periodic, one.coarse_cells());
  }
}

InterpolationView Interpolation::view_with(const OnDevice& along_x) const {
  constexpr int margin = SeparableMatrix::margin;
  return {{along_x.data() + margin, along_y_.data() + margin, along_z_.data() + margin}};
}

}  // namespace halotherm::solver
