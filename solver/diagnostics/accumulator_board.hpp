// SPDX-License-Identifier: MIT
// What an instrumented step notes: its kernels' accumulators, and the heat flows of its stages.
#pragma once

#include "solver/diagnostics/flow_sums.hpp"
#include "solver/diagnostics/instrument.hpp"

#include <optional>

namespace halotherm::solver {

/// Accumulators in device memory, one for each kernel launch of a step, allocated once.
/// Instantiated for float and double.
template <class Real>
class AccumulatorBoard {
 public:
  static constexpr int capacity = 16;
  using Slot = Kokkos::View<Accumulator, comm::Memory>;

  /// `scales`: the same on all ranks. Without `flows`, none are noted.
  AccumulatorBoard(const HeatEquation<Real>& equation, const AccumulatorScales& scales,
                   std::optional<FlowSums<Real>> flows = std::nullopt);

  const AccumulatorScales& scales() const { return scales_; }
  /// Settings for kernels that step the equation given at construction.
  DiagnosticsSettings<Real> settings() const {
    return {equation_.heat_content(), scales_, equation_.volume_shares()};
  }

  /// Forgets the step before; the next one is `dt` long [s].
  void begin(double dt);
  /// Called for each stage of a step, after its kernels: see FlowSums::add.
  void add_flows(const comm::Space& space, const comm::GridView<const Real>& T,
                 const Boundary<Real>& boundary, double weight = 1);
  const std::optional<FlowSums<Real>>& flows() const { return flows_; }
  /// The slot of the next launch.
  Slot next_slot();
  /// The accumulators of all launches since `begin`, joined. Blocking; the kernels must have ended.
  Accumulator collect() const;

 private:
  const HeatEquation<Real>& equation_;
  AccumulatorScales scales_;
  std::optional<FlowSums<Real>> flows_;
  Kokkos::View<Accumulator*, comm::Memory> slots_;
  Kokkos::View<Accumulator*, comm::PinnedMemory> host_;
  int used_ = 0;
};

}  // namespace halotherm::solver
