// SPDX-License-Identifier: MIT
// Where the kernels of a watched step leave their tallies.
#pragma once

#include "solver/diagnostics/instrument.hpp"

namespace halotherm::solver {

/// A few tallies in device memory, one a launch, allocated once. Instantiated for float and double.
template <class Real>
class TallyBoard {
 public:
  static constexpr int capacity = 16;
  using Slot = Kokkos::View<Tally, comm::Memory>;

  /// `scales`: the same on all ranks.
  TallyBoard(const HeatEquation<Real>& equation, const TallyScales& scales);

  const TallyScales& scales() const { return scales_; }
  /// For kernels; the equation must be the one given at construction.
  WatchSettings<Real> settings() const { return {equation_.inverse_capacity(), scales_}; }

  /// Forgets the step before.
  void clear() { used_ = 0; }
  /// Of the next launch.
  Slot next_slot();
  /// All launches since `clear`, combined. Blocking on `space` only: the kernels must have ended.
  Tally collect() const;

 private:
  const HeatEquation<Real>& equation_;
  TallyScales scales_;
  Kokkos::View<Tally*, comm::Memory> slots_;
  Kokkos::View<Tally*, comm::PinnedMemory> host_;
  int used_ = 0;
};

}  // namespace halotherm::solver
