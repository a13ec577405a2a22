// SPDX-License-Identifier: MIT
// A configuration's sides as conditions of a block's physical sides.
#pragma once

#include "app/sample.hpp"
#include "solver/boundary.hpp"

namespace halotherm::app {

/// The physical sides of this rank's block. Instantiated for float and double.
template <class Real>
class BoundaryConditions {
 public:
  /// Collective. `conductivity` [W/(m K)] as sampled on the block grown by a ghost cell. Throws CollectiveError (usage).
  BoundaryConditions(const Sampler& sampler, const Config& config, const comm::Box& owned,
                     const std::vector<solver::Coefficient>& conductivity);

  /// Makes the conditions those of time t [s]: those that change with time are evaluated. Blocking; no step may be in flight.
  void update(double time);
  const solver::Boundary<Real>& sides() const { return boundary_; }

 private:
  /// One side of this block.
  struct Condition {
    SideConfig config;
    std::string key;
    comm::Box layer;
    std::vector<double> conductivity;  ///< of the cells inside, one for all or one each
    double h = 0;                      ///< [m]
    bool changes = false;
  };

  void evaluate(std::size_t index, double time);

  Sampler sampler_;
  std::vector<Condition> conditions_;
  solver::Boundary<Real> boundary_;
};

}  // namespace halotherm::app
