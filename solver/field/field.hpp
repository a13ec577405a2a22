// SPDX-License-Identifier: MIT
// One value per cell of a rank's block, in device memory.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/partition/box.hpp"

#include <span>
#include <string>
#include <utility>

namespace halotherm::solver {

/// Owns the values of the cells `owned` and of `ghosts[axis]` more on both sides of each axis, x
/// fastest. Rows are padded so that the first owned cell of each lies on a 128-byte boundary, the
/// line that GPUs fetch. New fields hold NaN everywhere, so a cell that nobody has filled shows.
/// Instantiated for float and double, and for small whole numbers (std::uint8_t, new fields hold
/// 0).
template <class Real>
class Field {
 public:
  /// Cells in a line of memory, 128 bytes.
  static constexpr int cells_per_line = 128 / static_cast<int>(sizeof(Real));

  Field(const std::string& label, const comm::Box& owned, const comm::Int3& ghosts);

  const comm::Box& owned() const { return owned_; }
  /// Owned and ghost cells.
  comm::Box allocated() const { return comm::grown(owned_, ghosts_, ghosts_); }
  std::int64_t bytes() const { return static_cast<std::int64_t>(values_.size() * sizeof(Real)); }

  /// The whole allocation, padding included; `bytes()` long, a multiple of 128.
  Real* data() { return values_.data(); }
  const Real* data() const { return values_.data(); }

  comm::GridView<Real> view() { return {values_.data(), origin_, row_, plane_}; }
  comm::GridView<const Real> view() const { return {values_.data(), origin_, row_, plane_}; }

  /// Memory that a field of that size takes [bytes].
  static std::int64_t bytes_for(const comm::Box& owned, const comm::Int3& ghosts);

  friend void swap(Field& a, Field& b) noexcept {
    std::swap(a.values_, b.values_);
    std::swap(a.owned_, b.owned_);
    std::swap(a.ghosts_, b.ghosts_);
    std::swap(a.origin_, b.origin_);
    std::swap(a.row_, b.row_);
    std::swap(a.plane_, b.plane_);
  }

 private:
  Kokkos::View<Real*, comm::Memory> values_;
  comm::Box owned_;
  comm::Int3 ghosts_;
  std::int64_t origin_ = 0;
  std::int64_t row_ = 0;
  std::int64_t plane_ = 0;
};

/// Temperatures around 350 K that differ from cell to cell, ghost cells included: for measurements,
/// which zeros would flatter. Blocking.
template <class Real>
void fill_with_pattern(Field<Real>& field);

/// Copies between a part of a field and host memory of the part's size, x fastest. Blocking; the
/// field's kernels must have ended. Where kernels do not run on the host, values go through a
/// buffer, which grows to what it needs.
template <class Real>
void copy_to_host(const Field<Real>& field, const comm::Box& part, std::span<Real> values);
template <class Real>
void copy_from_host(std::span<const Real> values, const comm::Box& part, Field<Real>& field);
template <class Real>
void copy_from_host(std::span<const Real> values, const comm::Box& part, Field<Real>& field,
                    Kokkos::View<Real*, comm::Memory>& buffer);

}  // namespace halotherm::solver
