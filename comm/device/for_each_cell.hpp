// SPDX-License-Identifier: MIT
// Kernel launches over boxes of cells, with the iteration that suits the device.
#pragma once

#include "comm/device/region.hpp"

namespace halotherm::comm {

namespace detail {

template <class Body>
struct VisitSlot {
  BoxList boxes;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t slot) const { boxes.visit(slot, body); }
  /// The body's copy, if it has one and slots are cells.
  KOKKOS_INLINE_FUNCTION auto copy(std::int64_t slot) const
      requires(!kernels_run_on_host && requires(const Body& b) { b.copy(0, 0, 0, 0, 0); }) {
    decltype(body.copy(0, 0, 0, 0, 0)) result{};
    boxes.visit(slot, [&](int b, std::int64_t n, int i, int j, int k) {
      result = body.copy(b, n, i, j, k);
    });
    return result;
  }
};

template <class Body>
struct WithoutPosition {
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const {
    body(i, j, k);
  }
};

template <class Body>
struct VisitRow {
  Box box;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t row) const {
    const int j = box.lower[1] + static_cast<int>(row % box.extent(1));
    const int k = box.lower[2] + static_cast<int>(row / box.extent(1));
    const int first = box.lower[0];
    const int last = box.upper[0];
    const Body cell = body;  // local, so that the compiler sees that stores do not change the views
    if constexpr (kernels_run_on_host && requires { cell.row(first, last, j, k); })
      return cell.row(first, last, j, k);
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#pragma GCC ivdep  // bodies write their own cell only
#endif
    for (int i = first; i < last; ++i) cell(i, j, k);
  }
};

/// Adds the box's lower corner, since policies accept no negative bounds and ghost cells have
/// negative indices.
template <class Body>
struct FromLower {
  Int3 lower;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    body(lower[0] + i, lower[1] + j, lower[2] + k);
  }
};

}  // namespace detail

/// Launches one kernel with `body(b, n, i, j, k)` for each cell of all boxes (see BoxList::visit).
/// For thin boxes, such as faces. Asynchronous on `space`.
template <class Body>
void for_each_cell_of(const Space& space, const char* label, const BoxList& boxes,
                      const Body& body) {
  if (boxes.slots() == 0) return;
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(space, 0, boxes.slots()),
                       detail::VisitSlot<Body>{boxes, body});
}

/// Launches `body(i, j, k)` for each cell of the box, which may be large. Asynchronous on `space`.
/// `body` is a functor that writes only its own cell and reads no cell that another call writes; on
/// CPUs its `row(first, last, j, k)`, if it has one, does the same for the cells of a row.
template <class Body>
void for_each_cell(const Space& space, const char* label, const Box& box, const Body& body) {
  if (box.empty()) return;
  if constexpr (kernels_run_on_host) {
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Policy(space, 0, box.size() / box.extent(0)),
                         detail::VisitRow<Body>{box, body});
  } else if (is_thin(box) || box.extent(1) < 4) {  // most threads of a tile would idle
    const auto part = [&](const Box& some) {
      for_each_cell_of(space, label, BoxList(std::span(&some, 1)),
                       detail::WithoutPosition<Body>{body});
    };
    if (BoxList::slots_of(box) <= BoxList::most_slots) return part(box);
    for (const auto& some : countable_parts(box)) part(some);
  } else {
    using Policy =
        Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                              Kokkos::IndexType<int>>;
    const Policy policy(space, {0, 0, 0}, {box.extent(0), box.extent(1), box.extent(2)},
                        {32, 4, 1});
    Kokkos::parallel_for(label, policy, detail::FromLower<Body>{box.lower, body});
  }
}

/// Launches `body(i, j, k)` for each cell of the region. Asynchronous on `space`.
template <class Body>
void for_each_cell(const Space& space, const char* label, const Region& region, const Body& body) {
  for (const auto& box : region.large()) for_each_cell(space, label, box, body);
  for_each_cell_of(space, label, region.thin(), detail::WithoutPosition<Body>{body});
}

}  // namespace halotherm::comm
