// SPDX-License-Identifier: MIT
#include "app/integrate/forward_euler.hpp"

#include "solver/kernels/tiles.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

PhaseTimers::Gaps timing_gaps(double step_seconds) {
  constexpr std::int64_t fewest = 16;
  constexpr double distance = 0.1;  // [s]
  if (comm::kernels_run_on_host) return {1, 1};
  return {fewest, step_seconds > 0
                      ? std::max(fewest, static_cast<std::int64_t>(distance / step_seconds))
                      : fewest};
}

template <class Real>
ForwardEuler<Real>::ForwardEuler(const comm::Streams& streams, Domain<Real>& domain,
                                 Problem<Real>& problem)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      interior_(domain.interior),
      shell_(domain.shell),
      next_(domain.field("next")) {
  using solver::BlockPart;
  const auto tile = [&](BlockPart part) {
    return tile_for(problem.equation, part, domain.owned.size());
  };
  interior_.set_tile(tile(BlockPart::interior));
  shell_.set_tile(tile(interior_.empty() ? BlockPart::interior : BlockPart::shell));
}

template <class Real>
void ForwardEuler<Real>::advance(solver::State<Real>& state, double time, double dt,
                                 solver::AccumulatorBoard<Real>* board) {
  auto& temperature = state.temperature();
  timers_.begin_step([&] { streams_.fence(); });

  problem_.apply_conditions(time);
  problem_.boundary.radiate(streams_.bulk(), temperature.view());
  timers_.ends(Phase::formulas);

  auto pending = domain_.halo.start(streams_, temperature.view());  // faces leave
  timers_.ends(Phase::halo_start);

  diffuse_interior(interior_, temperature, dt, board);  // needs no exchanged ghost cell
  timers_.ends(Phase::interior);

  const auto ghosted = std::move(pending).finish();  // ghosts arrive
  timers_.ends(Phase::halo_wait);

  diffuse_shell(shell_, ghosted, dt, board);  // needs them
  if (board != nullptr)
    board->add_flows(streams_.edge(), ghosted.view(), problem_.boundary.sides());
  end_step();
  swap(temperature, next_);
}

/// The next interior comes after this shell; the host itself waits in timed steps only.
template <class Real>
void ForwardEuler<Real>::end_step() {
  if (!timers_.timed()) return streams_.bulk_awaits_edge();
  streams_.edge().fence("shell");
  timers_.ends(Phase::shell);
  streams_.bulk().fence("interior");
  timers_.ends(Phase::interior);
}

template <class Real>
comm::Ghosted<Real> ForwardEuler<Real>::exchange(solver::Field<Real>& temperature) {
  auto pending = domain_.halo.start(streams_, temperature.view());
  auto ghosted = std::move(pending).finish();
  streams_.edge().fence("exchange");
  return ghosted;
}

template <class Real>
void ForwardEuler<Real>::compute(const comm::Region& interior, const comm::Region& shell,
                                 const solver::Field<Real>& temperature,
                                 const comm::Ghosted<Real>& ghosted, double time, double dt) {
  problem_.apply_conditions(time);
  problem_.boundary.radiate(streams_.bulk(), temperature.view());
  streams_.mark_bulk();
  diffuse_interior(interior, temperature, dt);
  streams_.edge_awaits_mark();
  diffuse_shell(shell, ghosted, dt);
  streams_.bulk_awaits_edge();
}

template <class Real>
void ForwardEuler<Real>::diffuse_interior(const comm::Region& region,
                                          const solver::Field<Real>& temperature, double dt,
                                          solver::AccumulatorBoard<Real>* board) {
  apply(streams_.bulk(), region, problem_.step(dt, board), temperature.view(), next_.view());
}

template <class Real>
void ForwardEuler<Real>::diffuse_shell(const comm::Region& region,
                                       const comm::Ghosted<Real>& ghosted, double dt,
                                       solver::AccumulatorBoard<Real>* board) {
  apply(streams_.edge(), region, problem_.step(dt, board), ghosted, next_.view());
}

template class ForwardEuler<float>;
template class ForwardEuler<double>;

}  // namespace halotherm::app
