// SPDX-License-Identifier: MIT
// Everything that a run's steps need on this rank, made from the configuration.
#pragma once

#include "app/problem/boundary_conditions.hpp"
#include "app/problem/field_sampler.hpp"
#include "comm/halo/halo_exchange.hpp"
#include "comm/mpi/deferred_error.hpp"
#include "io/field/checkpoint.hpp"
#include "solver/equation/heat_equation.hpp"
#include "solver/kernels/diffuse.hpp"

#include <optional>

namespace halotherm::app {

/// The block, its coefficients, its sides and the way to its neighbours. Instantiated for float and
/// double.
template <class Real>
struct Block {
  /// Collective. Reads input files, samples formulas, allocates the device memory and binds the
  /// exchange.
  Block(const comm::Communicator& world, const Config& config, const comm::Partition& partition,
        const std::vector<comm::TransportKind>& transports);

  /// Makes the equation and the physical sides those of time t [s]: what changes with time is
  /// evaluated. Not collective. A formula whose value is not allowed leaves the conditions as they
  /// were, for good; `check_conditions` says so.
  void apply_conditions(double time);
  /// Collective, before anything that the steps computed is published. Throws CollectiveError
  /// (numerics) if conditions could not be applied on any rank: the first failure in simulated
  /// time. Nothing is communicated where no formula changes with time.
  void check_conditions(const comm::Communicator& world) const {
    if (conditions_change_) failure_.check(world);
  }
  /// A step of length dt [s] with them.
  solver::Step<Real> step(double dt, solver::AccumulatorBoard<Real>* watch = nullptr) const {
    return {equation, boundary.sides(), dt, watch};
  }

  FieldSampler sampler;
  comm::Box owned;
  comm::Int3 ghosts;
  std::optional<SampledQuantity> changing_source;  ///< q where it depends on time
  solver::HeatEquation<Real> equation;
  BoundaryConditions<Real> boundary;
  comm::Halo<Real> halo;
  comm::Region interior;                  ///< cells that need no exchanged ghost cell
  comm::Region shell;                     ///< the others
  std::vector<io::InputChecksum> inputs;  ///< of the data sets that were read

  /// What a block is made from.
  struct Sampled {
    solver::Material material;
    std::optional<SampledQuantity> changing_source;
    BoundaryConditions<Real> boundary;
    std::vector<io::InputChecksum> inputs;
  };
  /// Collective. The coefficients of a box grown by a ghost cell, and the sides that it touches, at
  /// time 0. Throws CollectiveError.
  static Sampled sample(const FieldSampler& sampler, const Config& config, const comm::Box& owned);

 private:
  Block(const comm::Communicator& world, const Config& config, const comm::Partition& partition,
        const std::vector<comm::TransportKind>& transports, FieldSampler sampler, Sampled sampled);
  void evaluate_conditions(double time);

  bool conditions_change_;  ///< with time, on some rank
  comm::DeferredError failure_;
};

/// The exchange of a rank: as wide as configured; with edges and corners if wider than the stencil
/// needs.
comm::HaloPlan halo_plan_of(const Config& config, const comm::Partition& partition, int rank);

/// Cells whose stencil reads no ghost cell that comes from another rank: everything but a layer at
/// the cut sides, one cell thick, across x `layer_x`, since rows are best cut where memory's lines
/// are. With `overlap` off there are none, so that all cells wait for the exchange.
comm::Box interior_of(const comm::Box& owned, const comm::HaloPlan& plan, bool overlap,
                      int layer_x = 1);

/// Memory that a run takes on this rank's device [bytes]: both temperatures, the coefficients that
/// vary, the exchange's buffers.
std::int64_t device_bytes(const Config& config, const comm::Box& owned, const comm::HaloPlan& plan);

}  // namespace halotherm::app
