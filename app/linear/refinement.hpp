// SPDX-License-Identifier: MIT
// Refines the temperature of an implicit equation until it is met.
#pragma once

#include "app/config/config.hpp"
#include "app/linear/conjugate_gradients.hpp"
#include "app/linear/implicit_equation.hpp"
#include "comm/mpi/error.hpp"

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
  std::int64_t corrections = 0;   ///< of the temperature, each by some cycles
  bool at_rounding = false;       ///< it ended where the temperature's precision ends
  double setup_seconds = 0;       ///< of a steady state, on the slowest rank: matrix and levels
  double seconds = 0;             ///< on the slowest rank; of steps with the set-up of the matrix
  double copies = 0;              ///< the same in units of a copy of the temperature field
};

/// A solve that does not converge.
struct NoSolution : comm::CollectiveError {
  using CollectiveError::CollectiveError;
};

/// Drives the function of an ImplicitEquation to zero by corrections in single precision: a cycle
/// of the multigrid where the matrix is separable and cycles converge fast, else some iterations of
/// conjugate gradients. Where the equation is linear that is iterative refinement (Wilkinson 1963).
/// Else it is Newton's method without the derivatives of K, whose matrix is symmetric: the matrix
/// is made anew where the norm no longer falls fast, and a correction that does not reduce the norm
/// is halved until it does. Instantiated for float and double.
template <class Real>
class Refinement {
 public:
  /// Collective. Allocates the finest level. References must outlive it, but for `config`.
  /// `has_mass`: whether rates may be above 0.
  Refinement(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
             const Config& config, bool has_mass);

  /// Collective. Makes the matrix that of this rate [1/s] and of the present sides, near a
  /// temperature if it depends on that, and allocates all levels.
  void set_matrix(double rate, solver::Field<Real>& temperature);
  /// Whether the matrix holds for all temperatures.
  bool is_linear() const { return equation_.is_linear(); }
  /// Whether something holds the temperature, without which F has no zero or many. Blocking.
  bool anchored() const { return multigrid_.anchored(); }

  using Progress = std::function<void(const SolveRecord&)>;
  /// Collective. Improves `temperature`, near which the matrix is, until the norm of F is
  /// `linear.tolerance` of the first. `target` is not read if the rate is 0. `progress` hears of
  /// each refinement, if not empty. Throws NoSolution (numerics), with `what` and the history, if
  /// that does not converge. The result does not depend on the partition; `seconds` and `copies`
  /// are not set.
  SolveRecord solve(solver::Field<Real>& temperature, const solver::Field<Real>& target,
                    const std::string& what, const Progress& progress = {});

  /// Collective. The largest size in a cell of A⁻¹ (rate rho c) A⁻¹ F(T), to some percent [K],
  /// where A is the present matrix: for estimates of errors. The rate is above 0.
  double filtered_residual(solver::Field<Real>& temperature, const solver::Field<Real>& target);

  /// Collective. Repeats the part that cycles have below the finest level, with what a solve left
  /// there: to measure its share. Blocking.
  void repeat_coarse_levels(std::int64_t cycles);

  /// A field that solves write: free between them.
  solver::Field<Real>& scratch() { return equation_.scratch(); }

 private:
  /// Norms of a solve.
  struct Norms {
    double first;
    std::vector<double> all;  ///< the last one is the present temperature's
    double last() const { return all.back(); }
    double falls_by() const;
    double limit() const;
    double limit_of(bool linear) const;
  };
  double wanted_reduction(const Norms& norms) const;
  ConjugateGradients& gradients();
  int prepare_correction(const Norms& norms, std::int64_t most);
  double correct(solver::Field<Real>& temperature, const solver::Field<Real>& target,
                 const Norms& norms);
  [[noreturn]] void report_no_convergence(const SolveRecord& record, const std::string& what) const;

  const comm::Streams& streams_;
  LinearConfig config_;
  Multigrid multigrid_;
  std::optional<ConjugateGradients> gradients_;  ///< from their first use on
  ImplicitEquation<Real> equation_;
  std::optional<solver::Field<Real>> before_;  ///< a correction, if the equation is not linear
  bool cycles_suffice_ = false;                ///< no conjugate gradients are needed
};

}  // namespace halotherm::app
