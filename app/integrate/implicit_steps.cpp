// SPDX-License-Identifier: MIT
#include "app/integrate/implicit_steps.hpp"

#include "comm/system/stopwatch.hpp"

#include <fmt/format.h>

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
      refinement_(streams, domain, problem, config, true) {
  if (config.time.integrator == solver::Method::crank_nicolson)
    half_.emplace(domain.field("half a step"));
}

/// All kernels of a step are on the edge stream but those of the conditions, which become those of
/// the values.
template <class Real>
comm::Ghosted<Real> ImplicitSteps<Real>::exchange(solver::Field<Real>& values) {
  streams_.fence();
  problem_.balance_faces(streams_.bulk(), std::as_const(values).view());
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

template <class Real>
void ImplicitSteps<Real>::half_forward(solver::Field<Real>& temperature, double length) {
  const auto ghosted = exchange(temperature);
  solver::apply(streams_.edge(), comm::Region(domain_.owned), problem_.step(length), ghosted,
                half_->view());
  streams_.fence();
}

template <class Real>
void ImplicitSteps<Real>::take(solver::State<Real>& state, solver::Clock& clock,
                               solver::AccumulatorBoard<Real>* board) {
  const comm::Stopwatch stopwatch;
  auto& temperature = state.temperature();
  const bool halves = half_.has_value(), damped = clock.step() < damped_steps;
  const double length = halves ? 0.5 * clock.dt() : clock.dt();
  const double weight = halves ? 0.5 : 1;

  copy(temperature, unknown_);
  if (halves && damped) {
    set_conditions(clock, 0.5);
    solve(temperature, 1 / length, clock);
    copy(unknown_, *half_);
    add_flows(board, unknown_, weight);
  } else if (halves) {
    set_conditions(clock, 0);
    half_forward(temperature, length);
    add_flows(board, temperature, weight);
  }
  set_conditions(clock, 1);
  solve(halves ? *half_ : temperature, 1 / length, clock);
  add_flows(board, unknown_, weight);

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
