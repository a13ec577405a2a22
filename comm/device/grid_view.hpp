// SPDX-License-Identifier: MIT
// A block of cells as kernels access it: by global index, x fastest.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace halotherm::comm {

/// A non-owning view of one value per cell, ghost cells included, with global indices. Rows along x
/// are contiguous. The owner chooses the strides between rows and planes (solver::Field pads rows).
/// Kernels capture it by value; it does not keep its memory alive.
template <class Value>
struct GridView {
  Value* data = nullptr;
  std::int64_t origin = 0;  ///< offset of the global cell (0, 0, 0), maybe outside of the block
  std::int64_t row = 0;     ///< distance between (i, j, k) and (i, j + 1, k)
  std::int64_t plane = 0;   ///< distance between (i, j, k) and (i, j, k + 1)

  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(int i, int j, int k) const {
    return data[origin + i + j * row + k * plane];
  }

  /// Implicit conversion to a read-only view, as from T* to const T*.
  template <class Other>
  // NOLINTNEXTLINE(google-explicit-constructor)
  requires(std::is_same_v<Other, const Value> && !std::is_const_v<Value>) operator GridView<Other>()
      const {
    return {data, origin, row, plane};
  }
};

}  // namespace halotherm::comm
