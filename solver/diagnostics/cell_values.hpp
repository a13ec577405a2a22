// SPDX-License-Identifier: MIT
// The values of a few cells, on the host.
#pragma once

#include "comm/device/execution.hpp"
#include "comm/device/grid_view.hpp"
#include "comm/partition/box.hpp"
#include "solver/medium/cell_value.hpp"

#include <span>
#include <vector>

namespace halotherm::solver {

/// Reads the same cells again and again: on GPUs by one kernel and one copy, however many there
/// are. Instantiated for float, double and std::uint8_t.
template <class Real>
class CellValues {
 public:
  /// The cells must be among those of what is read.
  explicit CellValues(std::span<const comm::Int3> cells);

  /// In the order of the cells. Blocking; kernels that write to the field must have ended. Valid
  /// until the next call.
  std::span<const Real> of(const comm::GridView<const Real>& field) { return read(field); }
  std::span<const Real> of(const CellValue<Real>& coefficient) { return read(coefficient); }

 private:
  template <class Source>
  std::span<const Real> read(const Source& source);

  Kokkos::View<comm::Int3*, comm::Memory> cells_;
  Kokkos::View<Real*, comm::Memory> values_;
  typename Kokkos::View<Real*, comm::Memory>::host_mirror_type on_host_;
};

}  // namespace halotherm::solver
