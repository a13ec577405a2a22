// SPDX-License-Identifier: MIT
#include "app/time_step.hpp"

#include "solver/diffuse.hpp"

#include <utility>

namespace halotherm::app {

using comm::Phase;

template <class Real>
void TimeStep<Real>::take(double time, double dt, solver::TallyBoard<Real>* watch) const {
  const auto& bulk = streams.bulk();
  const auto& edge = streams.edge();
  const auto now = std::as_const(temperature).view();
  timers.begin_step([&] { streams.fence(); });

  block.apply_conditions(time);
  const auto step = block.step(dt, watch);
  timers.ends(Phase::boundary);

  auto pending = block.halo.start(edge, temperature.view());  // faces leave
  timers.ends(Phase::halo_start);

  diffuse(bulk, block.interior, step, now, next.view());  // needs no exchanged ghost cell
  timers.ends(Phase::interior);

  const auto ghosted = std::move(pending).finish();  // ghosts arrive
  timers.ends(Phase::halo_wait);

  diffuse(edge, block.shell, step, ghosted, next.view());  // needs them
  end();
  swap(temperature, next);
}

/// The next step's work comes after all of this one's; the host itself waits in timed steps only.
template <class Real>
void TimeStep<Real>::end() const {
  if (!timers.timed()) return streams.join();
  streams.edge().fence("shell");
  timers.ends(Phase::shell);
  streams.bulk().fence("interior");
  timers.ends(Phase::interior);
}

template <class Real>
comm::Ghosted<Real> TimeStep<Real>::exchange() const {
  auto pending = block.halo.start(streams.edge(), temperature.view());
  auto ghosted = std::move(pending).finish();
  streams.edge().fence("exchange");
  return ghosted;
}

template <class Real>
void TimeStep<Real>::compute(double time, double dt, const comm::Ghosted<Real>& ghosted) const {
  block.apply_conditions(time);
  diffuse(streams.bulk(), block.interior, block.step(dt), std::as_const(temperature).view(), next.view());
  diffuse(streams.edge(), block.shell, block.step(dt), ghosted, next.view());
  streams.join();
}

template struct TimeStep<float>;
template struct TimeStep<double>;

}  // namespace halotherm::app
