// SPDX-License-Identifier: MIT
// What the cells that a coarse one joins add up to.
#pragma once

#include "solver/field/arithmetic.hpp"

namespace halotherm::solver {

/// Their sum, and that of their squares. Columns of cells along y and z are summed first, then
/// these along x, on CPUs and GPUs alike.
struct JoinedSum {
  float sum = 0;
  double squares = 0;

  static KOKKOS_FORCEINLINE_FUNCTION void add(float cell, float& sum, double& squares) {
    const auto wide = static_cast<double>(cell);
    sum = sum + cell;
    squares = multiply_add(wide, wide, squares);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(float cell) { add(cell, sum, squares); }
  KOKKOS_FORCEINLINE_FUNCTION JoinedSum operator+(const JoinedSum& other) const {
    return {sum + other.sum, squares + other.squares};
  }
};

}  // namespace halotherm::solver
