// SPDX-License-Identifier: MIT
// Numbers on the device for each cell along an axis of a block.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/partition/box.hpp"
#include "solver/field/grid.hpp"

#include <vector>

namespace halotherm::solver {

/// Rows of entries, one for each cell of the block along an axis and for the cells within `margin`
/// of it, where vectors of cells may begin or end.
template <class Real>
class AxisEntries {
 public:
  static constexpr int margin = 16;

  /// Adds a row whose entries are `entry(index)`; returns its place. Blocking.
  template <class Entry>
  std::size_t add(const comm::Box& owned, int axis, const Entry& entry) {
    const int begin = owned.lower[axis] - margin, end = owned.upper[axis] + margin;
    Kokkos::View<Real*, comm::Memory> row("entries along an axis",
                                          static_cast<std::size_t>(end - begin));
    const auto host = Kokkos::create_mirror_view(row);
    for (int index = begin; index < end; ++index)
      host(static_cast<std::size_t>(index - begin)) = static_cast<Real>(entry(index));
    Kokkos::deep_copy(row, host);
    rows_.push_back({row, begin});
    return rows_.size() - 1;
  }
  /// By the cells' indices, in kernels.
  const Real* operator[](std::size_t row) const {
    return rows_[row].entries.data() - rows_[row].begin;
  }
  /// The same for kernels that change them.
  Real* changing(std::size_t row) const { return rows_[row].entries.data() - rows_[row].begin; }

 private:
  struct Row {
    Kokkos::View<Real*, comm::Memory> entries;
    int begin;
  };
  std::vector<Row> rows_;
};

/// Volumes of cells as shares of the largest one's, in kernels.
struct VolumeShares {
  const double* along[3] = {nullptr, nullptr, nullptr};  ///< null on an even grid, where all are 1

  KOKKOS_FORCEINLINE_FUNCTION bool differ() const { return along[0] != nullptr; }
  KOKKOS_FORCEINLINE_FUNCTION double operator()(int i, int j, int k) const {
    return differ() ? along[0][i] * (along[1][j] * along[2][k]) : 1.0;
  }
};

/// Owns the memory of shares.
class VolumeShareEntries {
 public:
  VolumeShareEntries(const Grid& grid, const comm::Box& owned) {
    for (int axis = 0; axis < 3 && !grid.even(); ++axis) {
      const double largest = grid.largest_width(axis);
      entries_.add(owned, axis, [&](int index) {
        return grid.even(axis) ? 1.0 : grid.width(axis, index) / largest;
      });
    }
    even_ = grid.even();
  }
  VolumeShares view() const {
    return even_ ? VolumeShares{} : VolumeShares{{entries_[0], entries_[1], entries_[2]}};
  }

 private:
  bool even_ = true;
  AxisEntries<double> entries_;
};

}  // namespace halotherm::solver
