// SPDX-License-Identifier: MIT
// Steps that solve systems of equations: backward Euler, Crank-Nicolson and TR-BDF2.
#pragma once

#include "app/integrate/step_attempts.hpp"
#include "app/linear/refinement.hpp"
#include "solver/equation/clock.hpp"
#include "solver/field/state.hpp"
#include "solver/integrators/scheme.hpp"

namespace halotherm::app {

/// Takes steps of any length; what is conserved is the heat content, which need not be linear in
/// the temperature. A step of Crank-Nicolson is half a step of forward Euler and half a one of
/// backward Euler; the first two of a run are two halves of backward Euler instead, which damps
/// what a rough start would let oscillate (Rannacher 1984, Numer. Math. 43). A step of TR-BDF2 is
/// one of Crank-Nicolson over the share gamma = 2 − sqrt(2) of its length, and the backward
/// differentiation formula from both of its ends: of second order, and damps waves of any decay
/// rate (Hosea & Shampine 1996, Appl. Numer. Math. 20). All parts of a step have the same matrix.
/// It is set anew where the length changes, or a side does, and in every solve of a nonlinear
/// equation.
///
/// The estimated error of a step of backward Euler is half a step of forward Euler less half of
/// what it did, that of TR-BDF2 its difference to the embedded formula of third order, both
/// multiplied twice by (1 + d dt J)⁻¹, where J is −dF/dT over rho c: once is the usual filter
/// (Hosea & Shampine 1996), and leaves the half of a jump for waves of any decay rate, which the
/// step itself damps. Instantiated for float and double.
template <class Real>
class ImplicitSteps : public StepAttempts<Real> {
 public:
  /// Collective. References must outlive it, but for `config`. `unknown`: a field that steps write,
  /// free between them.
  ImplicitSteps(const comm::Streams& streams, Domain<Real>& domain, Problem<Real>& problem,
                solver::Field<Real>& unknown, const Config& config);

  /// Collective. Takes the step that the clock says, and advances the clock. `board` takes the
  /// accumulators and the flows of the scheme, if not null. Throws CollectiveError (numerics) if a
  /// solve does not converge.
  void take(solver::State<Real>& state, solver::Clock& clock,
            solver::AccumulatorBoard<Real>* board);

  /// Of backward Euler and TR-BDF2; infinite where a solve does not converge.
  double attempt(solver::State<Real>& state, double time, double dt,
                 solver::AccumulatorBoard<Real>* board) override;
  void accept(solver::State<Real>& state, double dt,
              solver::AccumulatorBoard<Real>* board) override;
  StepWork work(double /*dt*/) const override { return {}; }

  /// Of all steps so far; `seconds` of this rank.
  const SolveRecord& record() const { return record_; }

 private:
  static constexpr std::int64_t damped_steps = 2;
  struct Span {
    double time, dt;  ///< [s]
  };

  comm::Ghosted<Real> exchange(solver::Field<Real>& values);
  void copy(solver::Field<Real>& from, solver::Field<Real>& to);
  void combine(solver::Field<Real>& temperature, double of_unknown, double of_between);
  void set_conditions(const Span& span, double share);
  void solve(const solver::Field<Real>& target, double rate, const Span& span);
  void add_flows(solver::AccumulatorBoard<Real>* board, solver::Field<Real>& T, double weight);
  void forward(solver::Field<Real>& temperature, double length);
  void compute(solver::Field<Real>& temperature, const Span& span, bool damps,
               solver::AccumulatorBoard<Real>* board);
  void take_halves(solver::Field<Real>& temperature, const Span& span, bool damps,
                   solver::AccumulatorBoard<Real>* board);
  void take_tr_bdf2(solver::Field<Real>& temperature, const Span& span,
                    solver::AccumulatorBoard<Real>* board);
  double estimate_error(solver::Field<Real>& temperature, const Span& span);

  const comm::Streams& streams_;
  Domain<Real>& domain_;
  Problem<Real>& problem_;
  solver::Field<Real>& unknown_;
  bool sides_change_;  ///< with time, on some rank
  Refinement<Real> refinement_;
  solver::Method method_;
  /// Of a step in parts: the temperature with the heat content at which the next part starts.
  std::optional<solver::Field<Real>> between_;
  double rate_ = 0;  ///< of the matrix; 0 before the first step
  SolveRecord record_;
};

}  // namespace halotherm::app
