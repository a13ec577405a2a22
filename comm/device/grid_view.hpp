// SPDX-License-Identifier: MIT
// How kernels see a block of cells: by global index, with x running fastest.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace halotherm::comm {

/// A non-owning view of one value per cell, addressed by global cell index (i, j, k); ghost cells
/// included. Rows along x are contiguous; the strides between rows and planes are the owner's
/// choice (see solver::Field, which pads rows). Copied into kernels by value; does not keep its
/// memory alive.
template <class Value>
struct GridView {
  Value* data = nullptr;
  std::int64_t origin =
      0;  ///< position in `data` of the global cell (0, 0, 0), which need not be inside the block
  std::int64_t row = 0;    ///< distance between (i, j, k) and (i, j + 1, k)
  std::int64_t plane = 0;  ///< distance between (i, j, k) and (i, j, k + 1)

  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(int i, int j, int k) const {
    return data[origin + i + j * row + k * plane];
  }

  /// The same cells, read-only; implicit, as T* converts to const T*.
  template <class Other>
  // NOLINTNEXTLINE(google-explicit-constructor)
  requires(std::is_same_v<Other, const Value> && !std::is_const_v<Value>) operator GridView<Other>()
      const {
    return {data, origin, row, plane};
  }
};

}  // namespace halotherm::comm
