// SPDX-License-Identifier: MIT
// The temperature at which div(K grad T) + q = 0.
#pragma once

#include "app/linear/refinement.hpp"
#include "comm/system/stopwatch.hpp"
#include "io/text/log.hpp"
#include "solver/field/state.hpp"

namespace halotherm::app {

/// Solves for the steady temperature by iterative refinement. Instantiated for float and double.
template <class Real>
class SteadyState {
 public:
  /// Collective. Allocates all levels. `state` has the temperature to start from. References must
  /// outlive it. Throws CollectiveError (usage) if conditions change with time, or if nothing holds
  /// the temperature.
  SteadyState(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
              solver::State<Real>& state, const Config& config);

  /// Collective. Replaces the temperature of the same state by the steady one. Throws
  /// CollectiveError (numerics), with the history, if that does not converge.
  SolveRecord solve(solver::State<Real>& state, const io::Log& log);

 private:
  double seconds_of_copy(const solver::Field<Real>& temperature);

  const comm::Communicator& world_;
  comm::Stopwatch stopwatch_;  ///< since the set-up began
  Refinement<Real> refinement_;
  double setup_seconds_ = 0;  ///< on this rank
};

}  // namespace halotherm::app
