// SPDX-License-Identifier: MIT
// Pairs of cells that one instruction of a GPU loads or stores.
#pragma once

namespace halotherm::solver {

/// Two neighbouring cells along x, an even number of cells from the first one that the block owns,
/// so that one instruction loads both.
template <class T>
struct alignas(2 * sizeof(T)) CellPair {
  T cell[2];
};

}  // namespace halotherm::solver
