// SPDX-License-Identifier: MIT
// A list of boxes as one kernel argument.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/box.hpp"

#include <cassert>
#include <span>
#include <vector>

namespace halotherm::comm {

/// A few boxes, whose cells a kernel visits by slots. A slot is a row on CPUs, so that the loop
/// along x vectorises, and a cell on GPUs, so that thin boxes still fill warps.
class BoxList {
 public:
  static constexpr int capacity = 26;
  /// Of one box: 32 bits hold its slots, and their divisions are several times faster.
  static constexpr std::int64_t most_slots = std::int64_t{1} << 31;

  static constexpr std::int64_t slots_of(const Box& box) {
    return kernels_run_on_host && !box.empty() ? box.size() / box.extent(0) : box.size();
  }

  BoxList() = default;

  /// At most `capacity` boxes of at most `most_slots` each (see countable_parts in region.hpp).
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

  KOKKOS_INLINE_FUNCTION std::int64_t slots() const { return start_[count_]; }
  /// The cells of a slot, consecutive along x: one on GPUs.
  struct Row {
    int box;             ///< which one
    int cells;           ///< how many
    std::int64_t first;  ///< the first cell's number in the box, x fastest
    int i, j, k;         ///< its global indices
  };
  KOKKOS_INLINE_FUNCTION Row row(std::int64_t slot) const {
    int b = 0;
    while (slot >= start_[b + 1]) ++b;
    const Box& box = boxes_[b];
    const auto within = static_cast<std::uint32_t>(slot - start_[b]);  // below most_slots
    const auto nx = static_cast<std::uint32_t>(box.extent(0));
    const auto ny = static_cast<std::uint32_t>(box.extent(1));
    const auto cells = kernels_run_on_host ? nx : 1;
    const auto i = kernels_run_on_host ? 0 : within % nx;
    const auto row = kernels_run_on_host ? within : within / nx;
    return {b,
            static_cast<int>(cells),
            std::int64_t{within} * cells,
            box.lower[0] + static_cast<int>(i),
            box.lower[1] + static_cast<int>(row % ny),
            box.lower[2] + static_cast<int>(row / ny)};
  }

  /// The cells of the b-th box.
  KOKKOS_INLINE_FUNCTION std::int64_t cells(int b) const { return boxes_[b].size(); }

  /// Calls `body(b, n, i, j, k)` for each cell of the slot: the n-th cell, x fastest, of the b-th
  /// box, with its global indices.
  template <class Body>
  KOKKOS_INLINE_FUNCTION void visit(std::int64_t slot, const Body& body) const {
    const auto cells = row(slot);
    for (int n = 0; n < cells.cells; ++n)
      body(cells.box, cells.first + n, cells.i + n, cells.j, cells.k);
  }

 private:
  int count_ = 0;
  Box boxes_[capacity]{};
  std::int64_t start_[capacity + 1]{};
};

}  // namespace halotherm::comm
