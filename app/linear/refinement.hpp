// SPDX-License-Identifier: MIT
// Iterative refinement of the temperature of an implicit equation.
#pragma once

#include "app/config/config.hpp"
#include "app/linear/conjugate_gradients.hpp"
#include "app/problem/problem.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

/// What a solve took, or all solves of a run's steps.
struct SolveRecord {
  int levels = 0;                 ///< of the multigrid
  std::int64_t solves = 0;        ///< of steps; 0 for a steady state
  std::int64_t iterations = 0;    ///< cycles of the multigrid
  std::vector<double> residuals;  ///< 2-norm over that of the start, after each refinement
  bool at_rounding = false;       ///< it ended where the temperature's precision ends
  double setup_seconds = 0;       ///< of a steady state, on the slowest rank: matrix and levels
  double seconds = 0;             ///< on the slowest rank; of steps with the set-up of the matrix
  double copies = 0;              ///< the same in units of a copy of the temperature field
};

/// Drives F(T) = div(K grad T) + q + rate · rho c (target − T) to zero (Wilkinson 1963): F comes
/// from the operator of explicit steps in the run's precision. A correction is a cycle of the
/// multigrid where the matrix is separable and cycles converge fast, else some iterations of
/// conjugate gradients; both in single precision. Instantiated for float and double.
template <class Real>
class Refinement {
 public:
  /// Collective. Allocates the finest level. References must outlive it. `has_mass`: whether rates
  /// may be above 0.
  Refinement(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
             const LinearConfig& config, bool has_mass);

  /// Collective. Makes the matrix that of this rate [1/s] and of the present sides, and allocates
  /// all levels.
  void set_matrix(double rate);
  /// Whether something holds the temperature, without which F has no zero or many. Blocking.
  bool anchored() const { return multigrid_.anchored(); }

  using Progress = std::function<void(const SolveRecord&)>;
  /// Collective. Improves `temperature` until the norm of F is `linear.tolerance` of the first.
  /// `target` is not read if the rate is 0. `progress` hears of each refinement, if not empty.
  /// Throws CollectiveError (numerics), with `what` and the history, if that does not converge. The
  /// result does not depend on the partition; `seconds` and `copies` are not set.
  SolveRecord solve(solver::Field<Real>& temperature, const solver::Field<Real>& target,
                    const std::string& what, const Progress& progress = {});

  /// A field that solves write: free between them.
  solver::Field<Real>& scratch() { return residual_; }

 private:
  int correct(solver::Field<Real>& temperature, double reduction, std::int64_t most);
  double residual_of(solver::Field<Real>& temperature, const solver::Field<Real>& target);
  double round_residual();
  double rounding_of(const solver::Field<Real>& temperature);
  [[noreturn]] void report_no_convergence(const SolveRecord& record, const std::string& what) const;

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  LinearConfig config_;
  Multigrid multigrid_;
  bool anchored_;  ///< whether a matrix that is not separable has anchors
  std::optional<ConjugateGradients> gradients_;  ///< from their first use on
  solver::Field<Real> residual_;
  Products products_;
  double unit_ = 1;              ///< of b of the finest level, a power of two
  double rate_ = 0;              ///< of the matrix [1/s]
  bool cycles_suffice_ = false;  ///< no conjugate gradients are needed
};

}  // namespace halotherm::app
