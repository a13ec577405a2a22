// SPDX-License-Identifier: MIT
// Steps that solve a system of equations: backward Euler and Crank-Nicolson.
#pragma once

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
/// equation. Instantiated for float and double.
template <class Real>
class ImplicitSteps {
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

  /// Of all steps so far; `seconds` of this rank.
  const SolveRecord& record() const { return record_; }

 private:
  static constexpr std::int64_t damped_steps = 2;

  comm::Ghosted<Real> exchange(solver::Field<Real>& values);
  void copy(solver::Field<Real>& from, solver::Field<Real>& to);
  void set_conditions(const solver::Clock& clock, double share);
  void solve(const solver::Field<Real>& target, double rate, const solver::Clock& clock);
  void add_flows(solver::AccumulatorBoard<Real>* board, solver::Field<Real>& T, double weight);
  void forward(solver::Field<Real>& temperature, double length);
  void take_halves(solver::Field<Real>& temperature, const solver::Clock& clock,
                   solver::AccumulatorBoard<Real>* board);
  void take_tr_bdf2(solver::Field<Real>& temperature, const solver::Clock& clock,
                    solver::AccumulatorBoard<Real>* board);

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
