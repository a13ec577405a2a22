// SPDX-License-Identifier: MIT
// Where the kernels of a instrumented step leave their accumulators.
#pragma once

#include "solver/diagnostics/instrument.hpp"

namespace halotherm::solver {

/// A few accumulators in device memory, one a launch, allocated once. Instantiated for float and
/// double.
template <class Real>
class AccumulatorBoard {
 public:
  static constexpr int capacity = 16;
  using Slot = Kokkos::View<Accumulator, comm::Memory>;

  /// `scales`: the same on all ranks.
  AccumulatorBoard(const HeatEquation<Real>& equation, const AccumulatorScales& scales);

  const AccumulatorScales& scales() const { return scales_; }
  /// For kernels; the equation must be the one given at construction.
  DiagnosticsSettings<Real> settings() const { return {equation_.inverse_capacity(), scales_}; }

  /// Forgets the step before.
  void clear() { used_ = 0; }
  /// Of the next launch.
  Slot next_slot();
  /// All launches since `clear`, combined. Blocking on `space` only: the kernels must have ended.
  Accumulator collect() const;

 private:
  const HeatEquation<Real>& equation_;
  AccumulatorScales scales_;
  Kokkos::View<Accumulator*, comm::Memory> slots_;
  Kokkos::View<Accumulator*, comm::PinnedMemory> host_;
  int used_ = 0;
};

}  // namespace halotherm::solver
