// SPDX-License-Identifier: MIT
// Device memory for the accumulators of an instrumented step's kernels.
#pragma once

#include "solver/diagnostics/instrument.hpp"

namespace halotherm::solver {

/// Accumulators in device memory, one for each kernel launch of a step, allocated once.
/// Instantiated for float and double.
template <class Real>
class AccumulatorBoard {
 public:
  static constexpr int capacity = 16;
  using Slot = Kokkos::View<Accumulator, comm::Memory>;

  /// `scales`: the same on all ranks.
  AccumulatorBoard(const HeatEquation<Real>& equation, const AccumulatorScales& scales);

  const AccumulatorScales& scales() const { return scales_; }
  /// Settings for kernels that step the equation given at construction.
  DiagnosticsSettings<Real> settings() const { return {equation_.inverse_capacity(), scales_}; }

  /// Discards the accumulators of the step before.
  void clear() { used_ = 0; }
  /// The slot of the next launch.
  Slot next_slot();
  /// The accumulators of all launches since `clear`, joined. Blocking; the kernels must have ended.
  Accumulator collect() const;

 private:
  const HeatEquation<Real>& equation_;
  AccumulatorScales scales_;
  Kokkos::View<Accumulator*, comm::Memory> slots_;
  Kokkos::View<Accumulator*, comm::PinnedMemory> host_;
  int used_ = 0;
};

}  // namespace halotherm::solver
