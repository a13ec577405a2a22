// SPDX-License-Identifier: MIT
// How cells are joined, as a parameter of tests.
#pragma once

#include "solver/multigrid/coarsening.hpp"

#include <vector>

namespace halotherm::solver {

/// Parameters are made before Kokkos is started, and so before a partly joined axis can be.
struct JoinedCells {
  LevelGrid fine;
  comm::Int3 factors{1, 1, 1};
  Kokkos::Array<bool, 3> ends_in_three{false, false, false};
  /// of a partly joined axis, as PartlyJoined takes it; empty for others
  std::array<std::vector<int>, 3> first{};

  operator Coarsening() const {
    Coarsening result{fine, factors, ends_in_three};
    for (int axis = 0; axis < 3; ++axis) {
      const auto& along = first[static_cast<std::size_t>(axis)];
      if (!along.empty()) result.partly[axis] = PartlyJoined(along);
    }
    return result;
  }
};

/// Pairs, with cells that stay alone between them.
inline std::vector<int> pairs_among(int cells) {
  std::vector<int> first;
  for (int cell = 0; cell < cells; cell += cell % 3 == 0 ? 1 : 2) first.push_back(cell);
  first.push_back(cells);
  return first;
}

}  // namespace halotherm::solver
