// SPDX-License-Identifier: MIT
#include "app/integrate/implicit_steps.hpp"

#include "comm/system/stopwatch.hpp"

#include <fmt/format.h>

#include <limits>
#include <numbers>
#include <utility>

namespace halotherm::app {

namespace {

constexpr double root = std::numbers::sqrt2;
constexpr double tr_bdf2_share = 1 - 0.5 * root;  ///< d: of a step, in the rate of its matrix

}  // namespace

template <class Real>
ImplicitSteps<Real>::ImplicitSteps(const comm::Streams& streams, Domain<Real>& domain,
                                   Problem<Real>& problem, solver::Field<Real>& unknown,
                                   const Config& config)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      unknown_(unknown),
      sides_change_(domain.world.any(problem.boundary.change())),
      refinement_(streams, domain, problem, config, true),
      method_(config.time.integrator) {
  if (method_ != solver::Method::backward_euler || config.time.tolerance)
    between_.emplace(domain.field("part of a step"));
}

/// All kernels of a step are on the edge stream but those of the conditions and of sources, which
/// become those of the values.
template <class Real>
comm::Ghosted<Real> ImplicitSteps<Real>::exchange(solver::Field<Real>& values) {
  streams_.fence();
  problem_.follow_temperatures(streams_.bulk(), std::as_const(values).view());
  streams_.fence();
  return domain_.halo.start(streams_, values.view()).finish();
}

/// A step of forward Euler of no length.
template <class Real>
void ImplicitSteps<Real>::copy(solver::Field<Real>& from, solver::Field<Real>& to) {
  const auto ghosted = exchange(from);
  solver::apply(streams_.edge(), comm::Region(domain_.owned), problem_.step(0), ghosted, to.view());
  streams_.fence();
}

/// A formula's failure must not look like a solve that does not converge.
template <class Real>
void ImplicitSteps<Real>::set_conditions(const Span& span, double share) {
  streams_.fence();
  problem_.apply_conditions(streams_.bulk(),
                            {span.time + share * span.dt, span.time, span.time + span.dt});
  streams_.fence();
  problem_.check_conditions();
}

template <class Real>
void ImplicitSteps<Real>::add_flows(solver::AccumulatorBoard<Real>* board, solver::Field<Real>& T,
                                    double weight) {
  if (board == nullptr) return;
  const auto ghosted = exchange(T);
  board->add_flows(streams_.edge(), ghosted.view(), problem_.boundary.sides(), weight);
  streams_.fence();
}

/// `unknown_` becomes the temperature T with rate · (H(T) − H(target)) = div(K grad T) + q.
template <class Real>
void ImplicitSteps<Real>::solve(const solver::Field<Real>& target, double rate, const Span& span) {
  if (rate != rate_ || sides_change_ || !refinement_.is_linear())
    refinement_.set_matrix(rate, unknown_);
  rate_ = rate;
  const auto part =
      refinement_.solve(unknown_, target, fmt::format("the step from t = {:.6g} s", span.time));
  record_.levels = part.levels;
  record_.iterations += part.iterations;
  record_.corrections += part.corrections;
  record_.at_rounding = record_.at_rounding || part.at_rounding;
  ++record_.solves;
}

/// `between_` becomes the result of a step of forward Euler.
template <class Real>
void ImplicitSteps<Real>::forward(solver::Field<Real>& temperature, double length) {
  const auto ghosted = exchange(temperature);
  solver::apply(streams_.edge(), comm::Region(domain_.owned), problem_.step(length), ghosted,
                between_->view());
  streams_.fence();
}

/// A step of Crank-Nicolson: forward, or damped, and backward.
template <class Real>
void ImplicitSteps<Real>::take_halves(solver::Field<Real>& temperature, const Span& span,
                                      bool damps, solver::AccumulatorBoard<Real>* board) {
  const double length = 0.5 * span.dt;
  if (damps) {
    set_conditions(span, 0.5);
    solve(temperature, 1 / length, span);
    copy(unknown_, *between_);
    add_flows(board, unknown_, 0.5);
  } else {
    set_conditions(span, 0);
    forward(temperature, length);
    add_flows(board, temperature, 0.5);
  }
  set_conditions(span, 1);
  solve(*between_, 1 / length, span);
  add_flows(board, unknown_, 0.5);
}

/// `between_` becomes the temperature with the heat content H_n + of_unknown (H(unknown_) − H_n) +
/// of_between (H(between_) − H_n), where H_n is that of `temperature`. A field that is not set yet
/// is not read: 0 times its values need not be 0.
template <class Real>
void ImplicitSteps<Real>::combine(solver::Field<Real>& temperature, double of_unknown,
                                  double of_between) {
  const auto ghosted = exchange(unknown_);
  const auto start = std::as_const(temperature).view();
  const auto older = of_between == 0 ? start : std::as_const(*between_).view();
  solver::apply(streams_.edge(), comm::Region(domain_.owned),
                solver::RungeKuttaStage<Real>{problem_.equation, problem_.boundary.sides(), 0,
                                              of_unknown, of_between, 0, start, older, start},
                ghosted, between_->view());
}

/// With H_n, H_gamma and H_1 the heat contents at the start, after the share gamma, and at the end:
/// H_gamma = H_n + d dt (F_n + F_gamma), H_1 = H_n + a (H_gamma − H_n) + d dt F_1, where d =
/// gamma/2 = 1 − sqrt(1/2) and a = 1/(gamma (2 − gamma)) = (sqrt(2) + 1)/2.
template <class Real>
void ImplicitSteps<Real>::take_tr_bdf2(solver::Field<Real>& temperature, const Span& span,
                                       solver::AccumulatorBoard<Real>* board) {
  constexpr double d = tr_bdf2_share, a = 0.5 * (root + 1);
  const double length = d * span.dt;
  set_conditions(span, 0);
  forward(temperature, length);
  add_flows(board, temperature, a * d);
  set_conditions(span, 2 * d);
  solve(*between_, 1 / length, span);
  add_flows(board, unknown_, a * d);
  combine(temperature, a, 0);
  set_conditions(span, 1);
  solve(*between_, 1 / length, span);
  add_flows(board, unknown_, d);
}

/// `unknown_` becomes the temperature after the step.
template <class Real>
void ImplicitSteps<Real>::compute(solver::Field<Real>& temperature, const Span& span, bool damps,
                                  solver::AccumulatorBoard<Real>* board) {
  copy(temperature, unknown_);
  if (method_ == solver::Method::crank_nicolson)
    return take_halves(temperature, span, damps, board);
  if (method_ == solver::Method::tr_bdf2) return take_tr_bdf2(temperature, span, board);
  set_conditions(span, 1);
  solve(temperature, 1 / span.dt, span);
  add_flows(board, unknown_, 1);
}

/// The error in heat is c F_n(T_n), where F_n has the conditions of the start and a target that
/// holds the rates of the other times: in a step of backward Euler, c = −dt/2 and H = H_n − (H_1 −
/// H_n); of TR-BDF2, where `between_` still is the start S of its second part, c = sqrt(2)/3 dt and
/// H = H_n + (sqrt(2) − 1) (H_1 − H_n) − (H_S − H_n). The end's conditions come back.
template <class Real>
double ImplicitSteps<Real>::estimate_error(solver::Field<Real>& temperature, const Span& span) {
  const bool first_order = method_ == solver::Method::backward_euler;
  if (first_order) {
    combine(temperature, -1, 0);
  } else {
    combine(temperature, root - 1, -1);
  }
  set_conditions(span, 0);
  const double error = (first_order ? 0.5 : root / (3 * tr_bdf2_share)) *
                       refinement_.filtered_residual(temperature, *between_);
  set_conditions(span, 1);
  return error;
}

template <class Real>
void ImplicitSteps<Real>::take(solver::State<Real>& state, solver::Clock& clock,
                               solver::AccumulatorBoard<Real>* board) {
  const comm::Stopwatch stopwatch;
  const bool damps = clock.step() < damped_steps;
  compute(state.temperature(), {clock.time(), clock.dt()}, damps, board);
  record_.seconds += stopwatch.seconds();
  accept(state, clock.dt(), board);
  clock.advance();
}

template <class Real>
double ImplicitSteps<Real>::attempt(solver::State<Real>& state, double time, double dt,
                                    solver::AccumulatorBoard<Real>* board) {
  const comm::Stopwatch stopwatch;
  const Span span{time, dt};
  double error = std::numeric_limits<double>::infinity();
  try {
    compute(state.temperature(), span, false, board);
    error = estimate_error(state.temperature(), span);
  } catch (const NoSolution&) {
    rate_ = 0;  // a nonlinear equation's matrix is near another temperature
  }
  record_.seconds += stopwatch.seconds();
  return error;
}

/// The temperature becomes the unknown by the kernel that accumulates.
template <class Real>
void ImplicitSteps<Real>::accept(solver::State<Real>& state, double /*dt*/,
                                 solver::AccumulatorBoard<Real>* board) {
  const comm::Stopwatch stopwatch;
  auto& temperature = state.temperature();
  const auto ghosted = exchange(unknown_);
  const auto before = std::as_const(temperature).view();
  solver::apply(streams_.edge(), comm::Region(domain_.owned),
                solver::RungeKuttaStage<Real>{problem_.equation, problem_.boundary.sides(), 0, 1, 0,
                                              0, before, before, before, board},
                ghosted, temperature.view());
  streams_.fence();
  record_.seconds += stopwatch.seconds();
}

template class ImplicitSteps<float>;
template class ImplicitSteps<double>;

}  // namespace halotherm::app
