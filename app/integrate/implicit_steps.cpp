// SPDX-License-Identifier: MIT
#include "app/integrate/implicit_steps.hpp"

#include "comm/system/stopwatch.hpp"

#include <fmt/format.h>

#include <numbers>
#include <utility>

namespace halotherm::app {

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
  if (method_ != solver::Method::backward_euler) between_.emplace(domain.field("part of a step"));
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
void ImplicitSteps<Real>::set_conditions(const solver::Clock& clock, double share) {
  const double begin = clock.time(), dt = clock.dt();
  streams_.fence();
  problem_.apply_conditions(streams_.bulk(), {begin + share * dt, begin, begin + dt});
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
void ImplicitSteps<Real>::solve(const solver::Field<Real>& target, double rate,
                                const solver::Clock& clock) {
  if (rate != rate_ || sides_change_ || !refinement_.is_linear())
    refinement_.set_matrix(rate, unknown_);
  rate_ = rate;
  const auto part =
      refinement_.solve(unknown_, target, fmt::format("the step from t = {:.6g} s", clock.time()));
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
void ImplicitSteps<Real>::take_halves(solver::Field<Real>& temperature, const solver::Clock& clock,
                                      solver::AccumulatorBoard<Real>* board) {
  const double length = 0.5 * clock.dt();
  if (clock.step() < damped_steps) {
    set_conditions(clock, 0.5);
    solve(temperature, 1 / length, clock);
    copy(unknown_, *between_);
    add_flows(board, unknown_, 0.5);
  } else {
    set_conditions(clock, 0);
    forward(temperature, length);
    add_flows(board, temperature, 0.5);
  }
  set_conditions(clock, 1);
  solve(*between_, 1 / length, clock);
  add_flows(board, unknown_, 0.5);
}

/// With H_n, H_gamma and H_1 the heat contents at the start, after the share gamma, and at the end:
/// H_gamma = H_n + d dt (F_n + F_gamma), H_1 = H_n + a (H_gamma − H_n) + d dt F_1, where d =
/// gamma/2 = 1 − sqrt(1/2) and a = 1/(gamma (2 − gamma)) = (sqrt(2) + 1)/2.
template <class Real>
void ImplicitSteps<Real>::take_tr_bdf2(solver::Field<Real>& temperature, const solver::Clock& clock,
                                       solver::AccumulatorBoard<Real>* board) {
  constexpr double root = std::numbers::sqrt2, d = 1 - 0.5 * root, a = 0.5 * (root + 1);
  const double length = d * clock.dt();
  set_conditions(clock, 0);
  forward(temperature, length);
  add_flows(board, temperature, a * d);
  set_conditions(clock, 2 * d);
  solve(*between_, 1 / length, clock);
  add_flows(board, unknown_, a * d);

  const auto ghosted = exchange(unknown_);
  const auto start = std::as_const(temperature).view();
  solver::apply(streams_.edge(), comm::Region(domain_.owned),
                solver::RungeKuttaStage<Real>{problem_.equation, problem_.boundary.sides(), 0, a, 0,
                                              0, start, start, start},
                ghosted, between_->view());
  set_conditions(clock, 1);
  solve(*between_, 1 / length, clock);
  add_flows(board, unknown_, d);
}

template <class Real>
void ImplicitSteps<Real>::take(solver::State<Real>& state, solver::Clock& clock,
                               solver::AccumulatorBoard<Real>* board) {
  const comm::Stopwatch stopwatch;
  auto& temperature = state.temperature();
  copy(temperature, unknown_);
  if (method_ == solver::Method::crank_nicolson) {
    take_halves(temperature, clock, board);
  } else if (method_ == solver::Method::tr_bdf2) {
    take_tr_bdf2(temperature, clock, board);
  } else {
    set_conditions(clock, 1);
    solve(temperature, 1 / clock.dt(), clock);
    add_flows(board, unknown_, 1);
  }

  // the temperature becomes the unknown, by the kernel that accumulates
  const auto ghosted = exchange(unknown_);
  const auto before = std::as_const(temperature).view();
  solver::apply(streams_.edge(), comm::Region(domain_.owned),
                solver::RungeKuttaStage<Real>{problem_.equation, problem_.boundary.sides(), 0, 1, 0,
                                              0, before, before, before, board},
                ghosted, temperature.view());
  streams_.fence();
  clock.advance();
  record_.seconds += stopwatch.seconds();
}

template class ImplicitSteps<float>;
template class ImplicitSteps<double>;

}  // namespace halotherm::app
