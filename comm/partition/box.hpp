// SPDX-License-Identifier: MIT
// Boxes of cells in global indices, the index space of all parts of Halotherm.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace halotherm::comm {

/// Three numbers, one per axis, in the order x, y, z. A grid of fewer dimensions has extent 1 along
/// the axes it lacks.
using Int3 = Kokkos::Array<int, 3>;

/// A half-open box of cells, [lower, upper), in global cell indices. Ghost cells beyond the grid
/// have indices below 0, or from the number of cells on, so an index has one meaning on all ranks.
struct Box {
  Int3 lower{};
  Int3 upper{};

  KOKKOS_INLINE_FUNCTION constexpr int extent(int axis) const { return upper[axis] - lower[axis]; }

  KOKKOS_INLINE_FUNCTION constexpr bool empty() const {
    return extent(0) <= 0 || extent(1) <= 0 || extent(2) <= 0;
  }

  /// The number of cells.
  KOKKOS_INLINE_FUNCTION constexpr std::int64_t size() const {
    return empty() ? 0 : std::int64_t{extent(0)} * extent(1) * extent(2);
  }

  KOKKOS_INLINE_FUNCTION constexpr bool contains(int i, int j, int k) const {
    return lower[0] <= i && i < upper[0] && lower[1] <= j && j < upper[1] && lower[2] <= k &&
           k < upper[2];
  }

  friend constexpr bool operator==(const Box& a, const Box& b) {
    for (int axis = 0; axis < 3; ++axis) {
      if (a.lower[axis] != b.lower[axis] || a.upper[axis] != b.upper[axis]) return false;
    }
    return true;
  }
};

/// `box` moved by `distance` cells.
Box shifted(Box box, const Int3& distance);
/// `box` with `below` more cells at the lower and `above` more at the upper end of each axis;
/// negative numbers shrink it.
Box grown(Box box, const Int3& below, const Int3& above);
Box intersection(const Box& a, const Box& b);

/// The cells of `whole` that are not in `core`, as at most six disjoint boxes: whole planes of z
/// first, then y, then x. `core` must lie within `whole`; an empty `core` yields `whole` itself.
std::vector<Box> difference(const Box& whole, const Box& core);

/// The first part of `box` with at most `most` cells that is contiguous where x runs fastest: whole
/// planes or rows as far as they fit, else some cells of a row.
Box first_part(const Box& box, std::int64_t most);
/// `box` as such parts, in the order of memory; none if it is empty.
std::vector<Box> contiguous_parts(const Box& box, std::int64_t most);

/// "64 x 64 x 32", for messages.
std::string product_text(const Int3& numbers);
/// "[0, 64) x [0, 64) x [32, 64)", for messages.
std::string to_string(const Box& box);

}  // namespace halotherm::comm
