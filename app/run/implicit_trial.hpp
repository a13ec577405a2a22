// SPDX-License-Identifier: MIT
// What an implicit step costs, from steps on a part of the cells.
#pragma once

#include "app/integrate/implicit_steps.hpp"
#include "app/integrate/integrator.hpp"

#include <vector>

namespace halotherm::app {

/// Steps of the configured method with the real coefficients on as many cells as are worth it.
/// Instantiated for float and double.
template <class Real>
class ImplicitTrial {
 public:
  /// Collective. Throws CollectiveError if the problem cannot be set up.
  ImplicitTrial(const comm::Communicator& world, const Config& config);

  double cells() const { return static_cast<double>(partition_.global().size()); }

  /// Collective. Of the fastest step of `time.dt` [s], on the slowest rank.
  double seconds_of_equal_steps();
  /// Collective. The mean of steps with estimates, of these lengths [s], on the slowest rank.
  double seconds_of_steps(const std::vector<double>& lengths);

 private:
  template <class Take>
  double seconds_of(Take&& take);

  const comm::Communicator& world_;
  Config config_;
  comm::Partition partition_;
  comm::Streams streams_;
  Domain<Real> domain_;
  Problem<Real> problem_;
  Integrator<Real> integrator_;
  solver::State<Real> state_;
  ImplicitSteps<Real> steps_;
};

}  // namespace halotherm::app
