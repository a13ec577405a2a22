// SPDX-License-Identifier: MIT
// The temperature at which div(K grad T) + q = 0.
#pragma once

#include "app/config/config.hpp"
#include "app/linear/conjugate_gradients.hpp"
#include "app/problem/problem.hpp"
#include "io/text/log.hpp"
#include "solver/field/state.hpp"

#include <vector>

namespace halotherm::app {

/// What a solve took.
struct SolveRecord {
  int levels = 0;                 ///< of the multigrid
  int iterations = 0;             ///< of conjugate gradients, each with one cycle
  std::vector<double> residuals;  ///< 2-norm over that of the start, after each refinement
  bool at_rounding = false;       ///< it ended where the temperature's precision ends
  double seconds = 0;             ///< on the slowest rank, set-up of the matrix included
  double copies = 0;              ///< the same in units of a copy of the temperature field
};

/// Solves for the steady temperature by iterative refinement (Wilkinson 1963): the residual comes
/// from the operator of explicit steps in the run's precision, its correction from conjugate
/// gradients in single precision. Instantiated for float and double.
template <class Real>
class SteadyState {
 public:
  /// Collective. Allocates all levels. References must outlive it. Throws CollectiveError (usage)
  /// if conditions change with time, or if nothing holds the temperature.
  SteadyState(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
              const LinearConfig& config);

  /// Collective. Replaces the state's temperature by the steady one. Throws CollectiveError
  /// (numerics), with the history, if that does not converge.
  SolveRecord solve(solver::State<Real>& state, const io::Log& log);

 private:
  double residual_of(solver::Field<Real>& temperature);
  double seconds_of_copy(const solver::Field<Real>& temperature);
  double rounding_of(const solver::Field<Real>& temperature);
  [[noreturn]] void report_no_convergence(const SolveRecord& record) const;

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  LinearConfig config_;
  Multigrid multigrid_;
  ConjugateGradients gradients_;
  solver::Field<Real> residual_;
  Products products_;
};

}  // namespace halotherm::app
