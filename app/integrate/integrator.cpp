// SPDX-License-Identifier: MIT
#include "app/integrate/integrator.hpp"

#include "solver/integrators/step_error.hpp"
#include "solver/kernels/tiles.hpp"

#include <algorithm>
#include <utility>

namespace halotherm::app {

template <class Real>
Integrator<Real>::Integrator(const comm::Streams& streams, Domain<Real>& domain,
                             Problem<Real>& problem, const solver::Scheme& scheme)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      scheme_(scheme),
      passes_(streams, domain, problem),
      interior_(domain.interior),
      shell_(domain.shell) {
  using solver::BlockPart;
  for (int n = 1; n < scheme_.fields(); ++n)
    scratch_.push_back(domain.field(n == 1 ? "next" : "stage " + std::to_string(n)));
  const auto tile = [&](BlockPart part) {
    return tile_for(problem.equation, part, domain.owned.size());
  };
  interior_.set_tile(tile(BlockPart::interior));
  shell_.set_tile(tile(interior_.empty() ? BlockPart::interior : BlockPart::shell));
}

template <class Real>
void Integrator<Real>::advance(solver::State<Real>& state, double time, double dt,
                               solver::AccumulatorBoard<Real>* board) {
  auto& temperature = state.temperature();
  const int result = take_stages(temperature, time, dt, board);
  if (result != 0) swap(temperature, field(result, temperature));
}

template <class Real>
int Integrator<Real>::take_stages(solver::Field<Real>& temperature, double time, double dt,
                                  solver::AccumulatorBoard<Real>* board) {
  timers_.begin_step([&] { streams_.fence(); });
  const int stages = scheme_.stages(dt);
  int result = 0;  // field
  for (int n = 0; n < stages; ++n) {
    const auto stage = scheme_.stage(n, stages);
    take(stage, temperature, time, dt,
         {.flows = board,
          .weight = board != nullptr ? scheme_.weight(n, stages) : 0,
          .temperatures = n + 1 == stages ? board : nullptr});
    result = stage.to;
  }
  return result;
}

template <class Real>
double Integrator<Real>::attempt(solver::State<Real>& state, double time, double dt,
                                 solver::AccumulatorBoard<Real>* board) {
  auto& temperature = state.temperature();
  take_stages(temperature, time, dt, board);
  const auto estimate = scheme_.error_estimate(scheme_.stages(dt));
  const auto view = [&](int n) { return std::as_const(field(n, temperature)).view(); };
  const solver::ErrorFields<Real> fields{view(0), view(estimate.result), view(estimate.last),
                                         view(solver::Scheme::first_field)};
  const double mine = solver::largest_error<Real>(streams_.bulk(), domain_.owned, estimate, fields);
  timers_.ends(Phase::interior);
  const double all = domain_.world.max(mine);
  timers_.ends(Phase::halo_wait);
  return all;
}

template <class Real>
void Integrator<Real>::accept(solver::State<Real>& state, double dt,
                              solver::AccumulatorBoard<Real>* /*board*/) {
  auto& temperature = state.temperature();
  swap(temperature, field(scheme_.error_estimate(scheme_.stages(dt)).result, temperature));
}

template <class Real>
StepWork Integrator<Real>::work(double dt) const {
  const double estimate = 4 * sizeof(Real);
  return {scheme_.stages(dt), bytes_per_cell(dt) + estimate,
          static_cast<double>(flops_per_cell(dt))};
}

template <class Real>
void Integrator<Real>::take(const solver::Stage& stage, solver::Field<Real>& temperature,
                            double time, double dt, const Noted& noted) {
  auto& from = field(stage.from, temperature);

  problem_.apply_conditions(streams_.bulk(), {time + stage.at * dt, time, time + dt});
  problem_.follow_temperatures(streams_.bulk(), std::as_const(from).view());
  if (timers_.timed()) streams_.bulk().fence("formulas");
  timers_.ends(Phase::formulas);

  auto pending = domain_.halo.start(streams_, from.view());  // faces leave
  timers_.ends(Phase::halo_start);

  // needs no exchanged ghost cell
  launch(streams_.bulk(), interior_, stage, dt, std::as_const(from).view(), temperature,
         noted.temperatures);
  timers_.ends(Phase::interior);

  const auto ghosted = std::move(pending).finish();  // ghosts arrive
  timers_.ends(Phase::halo_wait);

  launch(streams_.edge(), shell_, stage, dt, ghosted, temperature,
         noted.temperatures);  // needs them
  if (noted.flows != nullptr)
    noted.flows->add_flows(streams_.edge(), ghosted.view(), problem_.boundary.sides(),
                           noted.weight);
  end_stage(streams_, timers_);
}

template <class Real>
void Integrator<Real>::advance_together(solver::State<Real>& state, double dt) {
  timers_.begin_step([&] { streams_.fence(); });
  passes_.take(state.temperature(), scratch(), dt, timers_);
}

template <class Real>
bool Integrator<Real>::can_be_recorded() const {
  const auto is_streamed = [](const comm::Region& region) { return region.thin().slots() == 0; };
  const bool own_launches = comm::kernels_run_on_host ||
                            (together() > 1 ? passes_.are_streamed()
                                            : problem_.equation.dimensions() > 1 &&
                                                  is_streamed(interior_) && is_streamed(shell_));
  return own_launches && scheme_.method() == solver::Method::euler && problem_.conditions_stay() &&
         domain_.halo.can_be_recorded();
}

template <class Real>
void Integrator<Real>::repeat(solver::State<Real>& state, double dt, int steps) {
  timers_.hold(true);
  domain_.halo.begin_recording();
  for (int n = 0; n < steps; n += together())
    together() > 1 ? advance_together(state, dt) : advance(state, 0, dt);
  domain_.halo.end_recording();
  timers_.hold(false);
}

template <class Real>
void Integrator<Real>::apply_conditions(double time, double dt) {
  const int stages = scheme_.stages(dt);
  for (int n = 0; n < stages; ++n)
    problem_.apply_conditions(streams_.bulk(),
                              {time + scheme_.stage(n, stages).at * dt, time, time + dt});
}

template <class Real>
void Integrator<Real>::exchange(solver::Field<Real>& temperature, double dt) {
  const int stages = scheme_.stages(dt);
  for (int n = 0; n < stages; ++n) (void)exchange(temperature);
}

template <class Real>
comm::Ghosted<Real> Integrator<Real>::exchange(solver::Field<Real>& values) {
  auto pending = domain_.halo.start(streams_, values.view());
  auto ghosted = std::move(pending).finish();
  streams_.edge().fence("exchange");
  return ghosted;
}

template <class Real>
auto Integrator<Real>::fields_at_rest(solver::Field<Real>& temperature) -> Fields {
  Fields fields{exchange(temperature)};
  for (int n = 1; n < scheme_.fields(); ++n) {
    const solver::Stage copy{.to = n};
    launch(streams_.bulk(), interior_, copy, 0, fields.front(), temperature);
    launch(streams_.edge(), shell_, copy, 0, fields.front(), temperature);
    streams_.fence();
    fields.push_back(exchange(field(n, temperature)));
  }
  return fields;
}

template <class Real>
void Integrator<Real>::diffuse(const comm::Region& interior, const comm::Region& shell,
                               solver::Field<Real>& temperature, const Fields& fields, double dt) {
  const int stages = scheme_.stages(dt);
  for (int n = 0; n < stages; ++n) {
    const auto stage = scheme_.stage(n, stages);
    const auto& from = fields[static_cast<std::size_t>(stage.from)];
    streams_.mark_bulk();
    launch(streams_.bulk(), interior, stage, 0, from, temperature);
    streams_.edge_awaits_mark();
    launch(streams_.edge(), shell, stage, 0, from, temperature);
    streams_.bulk_awaits_edge();
  }
}

template <class Real>
void Integrator<Real>::compute(const comm::Region& interior, const comm::Region& shell,
                               solver::Field<Real>& temperature, const Fields& fields, double time,
                               double dt) {
  const int stages = scheme_.stages(dt);
  for (int n = 0; n < stages; ++n) {
    problem_.apply_conditions(streams_.bulk(),
                              {time + scheme_.stage(n, stages).at * dt, time, time + dt});
    problem_.follow_temperatures(streams_.bulk(), std::as_const(temperature).view());
  }
  diffuse(interior, shell, temperature, fields, dt);
}

template <class Real>
solver::StageViews<Real> Integrator<Real>::views(solver::Field<Real>& temperature) {
  solver::StageViews<Real> views{temperature.view()};
  for (std::size_t n = 0; n < scratch_.size(); ++n) views[n + 1] = scratch_[n].view();
  return views;
}

template <class Real>
template <class In>
void Integrator<Real>::launch(const comm::Space& space, const comm::Region& region,
                              const solver::Stage& stage, double dt, const In& in,
                              solver::Field<Real>& temperature,
                              solver::AccumulatorBoard<Real>* board) {
  solver::apply_stage<Real>(space, region, problem_.equation, problem_.boundary.sides(), stage, dt,
                            in, views(temperature), board);
}

template class Integrator<float>;
template class Integrator<double>;

}  // namespace halotherm::app
