// SPDX-License-Identifier: MIT
// A coefficient that is one number or varies from cell to cell.
#pragma once

#include "solver/field/field.hpp"

namespace halotherm::solver {

/// A coefficient in kernels: one number, or one per cell.
template <class Real>
struct CellValue {
  comm::GridView<const Real> field;
  Real value = 0;
  bool varies = false;
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(int i, int j, int k) const {
    return varies ? field(i, j, k) : value;
  }
  /// The values of the cells from (i, j, k) on, which GPUs load as a pack.
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value at(int i, int j, int k) const {
    if (!varies) return broadcast<Value>(value);
    if constexpr (comm::kernels_run_on_host) return load_unaligned<Value>(&field(i, j, k));
    return load<Value>(&field(i, j, k));
  }
};

}  // namespace halotherm::solver
