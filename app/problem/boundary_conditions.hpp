// SPDX-License-Identifier: MIT
// A configuration's sides as conditions of a block's physical sides.
#pragma once

#include "app/problem/field_sampler.hpp"
#include "solver/equation/boundary.hpp"

namespace halotherm::app {

/// One quantity of a side's condition.
struct SideQuantity {
  const char* name;  ///< of its key
  Quantity quantity;
  Range range;
};
/// The quantities of the side's type: dirichlet's value, neumann's flux, or robin's coefficient and
/// ambient.
std::vector<SideQuantity> quantities_of(const SideConfig& side);

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
    std::size_t index = 0;  ///< of the side
    BoundaryType type = BoundaryType::neumann;
    std::vector<SampledQuantity> values;  ///< of the type's keys, in their order
    std::vector<double> conductivity;     ///< of the cells inside, one for all or one each
    double h = 0;                         ///< [m]
    std::vector<solver::AffineGhost> ghosts;
  };

  static Condition condition_of(const FieldSampler& sampler, const SideConfig& config,
                                const comm::Box& layer, const solver::Side& side);
  void evaluate(Condition& condition, double time);

  std::vector<Condition> changing_;  ///< with time
  solver::Boundary<Real> boundary_;
};

}  // namespace halotherm::app
