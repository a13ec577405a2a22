// SPDX-License-Identifier: MIT
// How kernels are launched over boxes of cells: the one place that knows what suits a device.
#pragma once

#include "comm/box.hpp"
#include "comm/execution.hpp"
#include "comm/flags.hpp"
#include "comm/tile.hpp"

#include <cassert>
#include <span>
#include <vector>

namespace halotherm::comm {

/// A few boxes as one kernel argument. Slots are counted in what the device iterates over: rows on CPUs, so that the loop along x
/// vectorises; cells on GPUs, so that thin boxes still fill warps.
class BoxList {
 public:
  static constexpr int capacity = 26;
  /// Slots of one box, so that they can be counted in 32 bits, whose divisions are several times faster.
  static constexpr std::int64_t most_slots = std::int64_t{1} << 31;

  static constexpr std::int64_t slots_of(const Box& box) {
    return kernels_run_on_host && !box.empty() ? box.size() / box.extent(0) : box.size();
  }

  BoxList() = default;

  /// At most `capacity` boxes of at most `most_slots` each (see countable_parts).
  explicit BoxList(std::span<const Box> boxes) {
    assert(boxes.size() <= capacity);
    for (const auto& box : boxes) {
      if (box.empty()) continue;
      boxes_[count_] = box;
      assert(slots_of(box) <= most_slots);
      start_[count_ + 1] = start_[count_] + slots_of(box);
      ++count_;
    }
  }

  std::int64_t slots() const { return start_[count_]; }

  /// Calls `body(b, n, i, j, k)` for the cells of the slot: b-th box, its n-th cell in the order x fastest, global indices.
  template <class Body>
  KOKKOS_INLINE_FUNCTION void visit(std::int64_t slot, const Body& body) const {
    int b = 0;
    while (slot >= start_[b + 1]) ++b;
    const Box& box = boxes_[b];
    const auto within = static_cast<std::uint32_t>(slot - start_[b]);  // of at most most_slots
    const auto nx = static_cast<std::uint32_t>(box.extent(0));
    const auto ny = static_cast<std::uint32_t>(box.extent(1));
    if constexpr (kernels_run_on_host) {
      const int j = box.lower[1] + static_cast<int>(within % ny);
      const int k = box.lower[2] + static_cast<int>(within / ny);
      const std::int64_t first = std::int64_t{within} * nx;
      for (std::uint32_t i = 0; i < nx; ++i) body(b, first + i, box.lower[0] + static_cast<int>(i), j, k);
    } else {
      const std::uint32_t row = within / nx;
      body(b, std::int64_t{within}, box.lower[0] + static_cast<int>(within % nx), box.lower[1] + static_cast<int>(row % ny),
           box.lower[2] + static_cast<int>(row / ny));
    }
  }

 private:
  int count_ = 0;
  Box boxes_[capacity]{};
  std::int64_t start_[capacity + 1]{};
};

/// The box, or, if it has more than `most` slots, slabs of it that do not: whole planes, else whole rows.
std::vector<Box> countable_parts(const Box& box, std::int64_t most = BoxList::most_slots);

namespace detail {

template <class Body>
struct VisitSlot {
  BoxList boxes;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t slot) const { boxes.visit(slot, body); }
  /// If that is what the body does; for slots that are cells.
  KOKKOS_INLINE_FUNCTION auto copy(std::int64_t slot) const
      requires(!kernels_run_on_host && requires(const Body& b) { b.copy(0, 0, 0, 0, 0); }) {
    decltype(body.copy(0, 0, 0, 0, 0)) result{};
    boxes.visit(slot, [&](int b, std::int64_t n, int i, int j, int k) { result = body.copy(b, n, i, j, k); });
    return result;
  }
};

template <class Body>
struct WithoutPosition {
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(int, std::int64_t, int i, int j, int k) const { body(i, j, k); }
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
    const Body cell = body;  // a local copy: the compiler sees that stores into fields do not change the views
#if defined(__GNUC__) && !defined(__CUDA_ARCH__)
#pragma GCC ivdep  // bodies write their own cell only
#endif
    for (int i = first; i < last; ++i) cell(i, j, k);
  }
};

/// Counts from the box's lower corner, since policies take no negative bounds and ghost cells have negative indices.
template <class Body>
struct FromLower {
  Int3 lower;
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, int k) const { body(lower[0] + i, lower[1] + j, lower[2] + k); }
};

}  // namespace detail

/// Launches `body(b, n, i, j, k)` for every cell of every box in one kernel: for thin boxes, such as faces. Asynchronous on
/// `space`.
template <class Body>
void for_each_cell_of(const Space& space, const char* label, const BoxList& boxes, const Body& body) {
  if (boxes.slots() == 0) return;
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for(label, Policy(space, 0, boxes.slots()), detail::VisitSlot<Body>{boxes, body});
}

/// The cells of boxes as messages that a kernel writes or reads.
template <class Body>
Sending<detail::VisitSlot<Body>> sending(const Departures& departures, const BoxList& boxes, const Body& body) {
  return {departures, boxes.slots(), {boxes, body}};
}
template <class Body>
Receiving<detail::VisitSlot<Body>> receiving(const Arrivals& arrivals, const BoxList& boxes, const Body& body) {
  return {arrivals, boxes.slots(), {boxes, body}};
}

/// As for_each_cell_of, with flags if there are some.
template <class Body>
void send_cells(const Space& space, const char* label, const Departures& departures, const BoxList& boxes, const Body& body) {
  if (departures.count == 0) return for_each_cell_of(space, label, boxes, body);
  launch_flagged(space, label, sending(departures, boxes, body));
}
template <class Body>
void receive_cells(const Space& space, const char* label, const Arrivals& arrivals, const BoxList& boxes, const Body& body) {
  if (arrivals.count == 0) return for_each_cell_of(space, label, boxes, body);
  launch_flagged(space, label, Sending<Nothing>{}, receiving(arrivals, boxes, body));
}

/// Whether rows are too short for what takes several cells of a row at once.
inline bool is_thin(const Box& box) {
  return box.extent(0) < 16;
}

/// Launches `body(i, j, k)` for every cell of the box, which may be large. Asynchronous on `space`. `body` is a functor that writes
/// no cell but its own and reads none that another call writes.
template <class Body>
void for_each_cell(const Space& space, const char* label, const Box& box, const Body& body) {
  if (box.empty()) return;
  if constexpr (kernels_run_on_host) {
    using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Policy(space, 0, box.size() / box.extent(0)), detail::VisitRow<Body>{box, body});
  } else if (is_thin(box) || box.extent(1) < 4) {  // most threads of a tile would idle
    const auto part = [&](const Box& some) {
      for_each_cell_of(space, label, BoxList(std::span(&some, 1)), detail::WithoutPosition<Body>{body});
    };
    if (BoxList::slots_of(box) <= BoxList::most_slots) return part(box);
    for (const auto& some : countable_parts(box)) part(some);
  } else {
    using Policy =
        Kokkos::MDRangePolicy<Space, Kokkos::Rank<3, Kokkos::Iterate::Left, Kokkos::Iterate::Left>, Kokkos::IndexType<int>>;
    const Policy policy(space, {0, 0, 0}, {box.extent(0), box.extent(1), box.extent(2)}, {32, 4, 1});
    Kokkos::parallel_for(label, policy, detail::FromLower<Body>{box.lower, body});
  }
}

/// Disjoint boxes, sorted once into large ones, which kernels cut into tiles, and thin ones, which they take cell by cell.
class Region {
 public:
  Region() = default;
  explicit Region(std::span<const Box> boxes);

  bool empty() const { return large_.empty() && thin_.slots() == 0; }
  std::int64_t cells() const { return cells_; }
  std::span<const Box> large() const { return large_; }
  const BoxList& thin() const { return thin_; }

  /// How the large boxes are cut by kernels that may choose.
  const Tile& tile() const { return tile_; }
  void set_tile(const Tile& tile) { tile_ = tile; }

 private:
  std::vector<Box> large_;
  BoxList thin_;
  std::int64_t cells_ = 0;
  Tile tile_;
};

/// Launches `body(i, j, k)` for every cell of the region.
template <class Body>
void for_each_cell(const Space& space, const char* label, const Region& region, const Body& body) {
  for (const auto& box : region.large()) for_each_cell(space, label, box, body);
  for_each_cell_of(space, label, region.thin(), detail::WithoutPosition<Body>{body});
}

}  // namespace halotherm::comm
