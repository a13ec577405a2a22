// SPDX-License-Identifier: MIT
// Kernel launches over boxes of cells, with the iteration that suits the device.
#pragma once

#include "comm/device/launch_teams.hpp"
#include "comm/device/region.hpp"

#include <limits>

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

/// Adds the box's lower corner.
template <class Body>
struct FromLower {
  Int3 lower;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const {
    body(lower[0] + i, lower[1] + j, lower[2] + k);
  }
};

template <class Body>
struct VisitThreadsSlot {
  static constexpr int threads = 256;
  VisitSlot<Body> visit;
  KOKKOS_INLINE_FUNCTION void operator()(int team, int thread) const {
    const std::int64_t slot = std::int64_t{team} * threads + thread;
    if (slot < visit.boxes.slots()) visit(slot);
  }
};

/// Tiles of a warp's length along x and a few rows.
struct IndexTile {
  static constexpr int x = 32, y = 4;
};

#if defined(KOKKOS_ENABLE_CUDA)
template <class Body>
__global__ void __launch_bounds__(IndexTile::x* IndexTile::y)
    run_index(const int x_end, const int y_end, const __grid_constant__ Body body) {
  const int x = static_cast<int>(blockIdx.x) * IndexTile::x + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y) * IndexTile::y + static_cast<int>(threadIdx.y);
  if (x < x_end && y < y_end) body(x, y, static_cast<int>(blockIdx.z));
}
#endif

}  // namespace detail

/// Launches `body(x, y, z)` for 0 <= x < extent[0] and so on, x fastest. On NVIDIA GPUs a launch of
/// its own, which can be recorded (Recording). Asynchronous on `space`.
template <class Body>
void for_each_index(const Space& space, const char* label, const Int3& extent, const Body& body) {
  using Shape = detail::IndexTile;
  if (extent[0] <= 0 || extent[1] <= 0 || extent[2] <= 0) return;
#if defined(KOKKOS_ENABLE_CUDA)
  constexpr int most = 65535;  // blocks along y and z
  const auto tiles = [](int cells, int size) {
    return static_cast<unsigned>((cells + size - 1) / size);
  };
  const dim3 blocks(tiles(extent[0], Shape::x), tiles(extent[1], Shape::y), tiles(extent[2], 1));
  if (blocks.y <= most && blocks.z <= most) {
    return detail::profiled_launch(space, label, [&] {
      detail::run_index<<<blocks, dim3(Shape::x, Shape::y), 0, space.cuda_stream()>>>(
          extent[0], extent[1], body);
    });
  }
#endif
  using Policy =
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                            Kokkos::IndexType<int>>;
  Kokkos::parallel_for(
      label, Policy(space, {0, 0, 0}, {extent[0], extent[1], extent[2]}, {Shape::x, Shape::y, 1}),
      body);
}

/// Launches one kernel with `body(b, n, i, j, k)` for each cell of all boxes (see BoxList::visit).
/// For thin boxes, such as faces. On NVIDIA GPUs a launch of its own, which can be recorded, as
/// those of `for_each_cell` are. Asynchronous on `space`.
template <class Body>
void for_each_cell_of(const Space& space, const char* label, const BoxList& boxes,
                      const Body& body) {
  if (boxes.slots() == 0) return;
#if defined(KOKKOS_ENABLE_CUDA)
  using Visit = detail::VisitThreadsSlot<Body>;
  const auto teams = (boxes.slots() + Visit::threads - 1) / Visit::threads;
  if (teams <= std::numeric_limits<int>::max())
    return for_each_thread<Kokkos::LaunchBounds<Visit::threads, 1>>(
        space, label, static_cast<int>(teams), Visit::threads, Visit{{boxes, body}});
#endif
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
    for_each_index(space, label, {box.extent(0), box.extent(1), box.extent(2)},
                   detail::FromLower<Body>{box.lower, body});
  }
}

/// Launches `body(i, j, k)` for each cell of the region. Asynchronous on `space`.
template <class Body>
void for_each_cell(const Space& space, const char* label, const Region& region, const Body& body) {
  for (const auto& box : region.large()) for_each_cell(space, label, box, body);
  for_each_cell_of(space, label, region.thin(), detail::WithoutPosition<Body>{body});
}

}  // namespace halotherm::comm
