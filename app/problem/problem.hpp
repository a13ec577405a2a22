// SPDX-License-Identifier: MIT
// The heat equation of a configuration on a domain: coefficients, sides and what changes with time.
#pragma once

#include "app/domain/domain.hpp"
#include "app/problem/boundary_conditions.hpp"
#include "app/problem/device_source.hpp"
#include "app/problem/void_cells.hpp"
#include "comm/mpi/error.hpp"
#include "solver/equation/temperature_bounds.hpp"
#include "solver/kernels/apply.hpp"

#include <optional>

namespace halotherm::app {

/// Instantiated for float and double.
template <class Real>
struct Problem {
  /// Collective. Reads input files, evaluates formulas and allocates the coefficients. `domain`
  /// must outlive it. Throws CollectiveError.
  Problem(const Domain<Real>& domain, const Config& config);

  /// Makes the equation and the physical sides those of a moment by evaluating what changes with
  /// time, but not with the temperature, asynchronously on `space`. Not collective. After a value
  /// that is not allowed the conditions have no meaning; `check_conditions` reports it.
  void apply_conditions(const comm::Space& space, const Moment& moment);
  /// Before the kernels of a step or of one of its stages, after the conditions of its moment:
  /// makes what depends on the temperatures those of `T`, which are sources and faces. Asynchronous
  /// on `space`.
  void follow_temperatures(const comm::Space& space, const comm::GridView<const Real>& T) {
    follow_sources(space, T);
    balance_faces(space, T);
  }
  /// The sources alone, those through void faces included. Asynchronous on `space`.
  void follow_sources(const comm::Space& space, const comm::GridView<const Real>& T);
  /// The faces alone: makes the conditions of faces that radiate, or at which K depends on the
  /// temperature, those of the temperatures `T`. Asynchronous on `space`.
  void balance_faces(const comm::Space& space, const comm::GridView<const Real>& T) const {
    boundary.balance(space, T, equation.materials());
  }
  /// Collective, before anything that the steps computed is published. Throws CollectiveError
  /// (numerics) if conditions could not be applied on any rank: the first failure in simulated
  /// time. Communicates nothing where no formula changes with time or temperature.
  void check_conditions() const {
    if (are_evaluated_) with_failures_on_device().check(domain_.world);
  }
  /// Whether K, sources or sides change with time, on any rank.
  bool change_with_time() const { return change_with_time_; }
  /// Whether K, sources and sides are the same in every step, on all ranks: neither time nor, of
  /// sources and sides, temperature changes them.
  bool conditions_stay() const { return !are_evaluated_ && !follow_temperatures_; }
  /// What sources, sides and void faces of this block have allowed so far. Local, blocking.
  solver::TemperatureBounds bounds() const;
  /// A step of length dt [s] with the present conditions.
  solver::EulerStep<Real> step(double dt, solver::AccumulatorBoard<Real>* board = nullptr) const {
    return {equation, boundary.sides(), dt, board};
  }

  /// Collective. The configuration's initial temperature in this rank's block [K], x fastest; in
  /// void cells that of their condition, if it has one. Adds
  /// the checksum of its data set, if it is one, to `inputs`. Throws CollectiveError.
  std::vector<Real> initial_temperature(const Config& config);

  solver::HeatEquation<Real> equation;
  std::optional<DeviceSource<Real>> changing_source;  ///< q where it depends on time or T
  BoundaryConditions<Real> boundary;
  std::optional<DeviceVoidFaces<Real>> void_faces;  ///< whose flows are a source
  VoidCells void_cells;
  solver::TemperatureBounds fixed_bounds;  ///< of sources and void faces, at every time
  double source_fall = 0;                  ///< as ChangingSource::fall, of all blocks [1/s]
  std::vector<io::InputChecksum> inputs;   ///< of the data sets that were read

  /// Values on a box of cells.
  struct Sampled {
    solver::AnyMaterial material;
    ConductivityFactors conductivity_factors;
    std::optional<ChangingSource> changing_source;
    BoundaryConditions<Real> boundary;
    VoidCells void_cells;
    solver::TemperatureBounds fixed_bounds;
    double fall;  ///< by how much q, through void faces too, falls at most with T, over rho c [1/s]
    std::vector<io::InputChecksum> inputs;
  };
  /// Collective. The coefficients of a box and of `ghost_layers` around it, and the sides that it
  /// touches, at time 0. Regions have source densities, not powers. Throws CollectiveError.
  static Sampled sample(const FieldSampler& sampler, const Config& config, const comm::Box& owned,
                        int ghost_layers);

 private:
  Problem(const Domain<Real>& domain, const FieldSampler& sampler, const Config& config);
  Problem(const Domain<Real>& domain, Sampled sampled);
  void scale_conductivities(const comm::Space& space, const Moment& moment);
  comm::DeferredError with_failures_on_device() const;

  const Domain<Real>& domain_;
  ConductivityFactors conductivity_factors_;
  bool change_with_time_;     ///< K, sources or sides, on some rank
  bool are_evaluated_;        ///< they, or sources that follow the temperature
  bool follow_temperatures_;  ///< sides
  comm::DeferredError failure_;
};

}  // namespace halotherm::app
