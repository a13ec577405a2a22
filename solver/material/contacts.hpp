// SPDX-License-Identifier: MIT
// Thermal resistances between materials.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace halotherm::solver {

/// Of the faces between cells of two materials, such as solder, paste or a gap: what is too thin
/// for cells of its own. Faces of other pairs have none.
struct Contacts {
  struct Pair {
    std::array<std::uint16_t, 2> materials;
    double resistance = 0;  ///< of a unit of area [m² K/W]
  };
  std::vector<Pair> pairs;
  /// the material of each cell of the box that coefficients are given on, x fastest
  std::shared_ptr<const std::vector<std::uint16_t>> of_cell;

  bool any() const { return !pairs.empty(); }
  /// The resistance between two cells, given by their places in the box [m² K/W].
  double between(std::size_t one, std::size_t other) const {
    return between_materials((*of_cell)[one], (*of_cell)[other]);
  }
  double between_materials(std::uint16_t a, std::uint16_t b) const {
    if (a == b) return 0;
    for (const auto& [materials, resistance] : pairs) {
      if (materials == std::array{a, b} || materials == std::array{b, a}) return resistance;
    }
    return 0;
  }
};

}  // namespace halotherm::solver
