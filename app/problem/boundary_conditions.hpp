// SPDX-License-Identifier: MIT
// A configuration's sides as conditions of a block's physical sides.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "app/problem/sampled_side.hpp"
#include "solver/equation/boundary.hpp"

namespace halotherm::app {

/// The physical sides of this rank's block. Instantiated for float and double.
template <class Real>
class BoundaryConditions {
 public:
  /// Collective. `conductivity` [W/(m K)] as sampled on `sampled`, the block with ghost cells.
  /// Throws CollectiveError (usage).
  BoundaryConditions(const FieldSampler& sampler, const Config& config, const comm::Box& owned,
                     const comm::Box& sampled,
                     const std::vector<solver::Coefficient>& conductivity);

  /// Evaluates the conditions that change with time at time t [s]. Blocking; no step may be in
  /// flight.
  void update(double time);
  /// Whether any condition changes with time.
  bool change() const { return !changing_.empty(); }
  const solver::Boundary<Real>& sides() const { return boundary_; }
  /// Conditions that bound a step at every time as strictly as any: fixed temperatures where a
  /// coefficient changes with time.
  solver::Sides<Real> strictest_sides() const;

 private:
  /// One side of this block.
  struct Condition {
    std::size_t index;  ///< of the side
    SampledSide values;
    std::vector<double> conductivity;  ///< of the cells inside, one for all or one each
    double h;                          ///< [m]
    std::vector<solver::AffineGhost> ghosts;
  };

  void evaluate(Condition& condition, double time);

  std::vector<Condition> changing_;  ///< with time
  solver::Boundary<Real> boundary_;
};

}  // namespace halotherm::app
