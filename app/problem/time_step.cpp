// SPDX-License-Identifier: MIT
#include "app/problem/time_step.hpp"

#include "solver/kernels/diffuse.hpp"

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
void TimeStep<Real>::take(double time, double dt, solver::AccumulatorBoard<Real>* watch) const {
  const auto& bulk = streams.bulk();
  const auto& edge = streams.edge();
  const auto now = std::as_const(temperature).view();
  timers.begin_step([&] { streams.fence(); });

  block.apply_conditions(time);
  const auto step = block.step(dt, watch);
  timers.ends(Phase::formulas);

  auto pending = block.halo.start(streams, temperature.view());  // faces leave
  timers.ends(Phase::halo_start);

  diffuse(bulk, block.interior, step, now, next.view());  // needs no exchanged ghost cell
  timers.ends(Phase::interior);

  const auto ghosted = std::move(pending).finish();  // ghosts arrive
  timers.ends(Phase::halo_wait);

  diffuse(edge, block.shell, step, ghosted, next.view());  // needs them
  end();
  swap(temperature, next);
}

/// The next interior comes after this shell; the host itself waits in timed steps only.
template <class Real>
void TimeStep<Real>::end() const {
  if (!timers.timed()) return streams.bulk_awaits_edge();
  streams.edge().fence("shell");
  timers.ends(Phase::shell);
  streams.bulk().fence("interior");
  timers.ends(Phase::interior);
}

template <class Real>
comm::Ghosted<Real> TimeStep<Real>::exchange() const {
  auto pending = block.halo.start(streams, temperature.view());
  auto ghosted = std::move(pending).finish();
  streams.edge().fence("exchange");
  return ghosted;
}

template <class Real>
void TimeStep<Real>::compute(double time, double dt, const comm::Ghosted<Real>& ghosted) const {
  block.apply_conditions(time);
  streams.mark_bulk();
  diffuse(streams.bulk(), block.interior, block.step(dt), std::as_const(temperature).view(),
          next.view());
  streams.edge_awaits_mark();
  diffuse(streams.edge(), block.shell, block.step(dt), ghosted, next.view());
  streams.bulk_awaits_edge();
}

template struct TimeStep<float>;
template struct TimeStep<double>;

}  // namespace halotherm::app
