// SPDX-License-Identifier: MIT
#include "app/integrate/passes.hpp"

#include "solver/waves/apply_steps.hpp"

#include <utility>

namespace halotherm::app {

template <class Real>
Passes<Real>::Passes(const comm::Streams& streams, Domain<Real>& domain,
                     const Problem<Real>& problem)
    : streams_(streams), domain_(domain), problem_(problem) {}

template <class Real>
auto Passes<Real>::most() const -> Most {
  if (!problem_.conditions_stay()) return {};
  const auto& equation = problem_.equation;
  int most = solver::most_steps_at_once(equation, problem_.boundary.sides());
  if (is_alone()) return {.in_one_pass = most};
  if (!can_step_in_ghosts() || !problem_.boundary.are_alike(domain_.world)) return {};
  most = domain_.world.min(most);
  return {.in_one_pass = std::min(most, domain_.settings.width),
          .stepwise = domain_.settings.width};
}

/// Collective. Beside contacts, cells of some blocks may be of too many kinds.
template <class Real>
bool Passes<Real>::can_step_in_ghosts() const {
  return !domain_.world.any(!solver::can_step_in_ghosts(problem_.equation));
}

/// No block adjoins.
template <class Real>
bool Passes<Real>::is_alone() const {
  return domain_.partition.ranks() == 1 && domain_.halo.plan().local.empty();
}

template <class Real>
std::string Passes<Real>::reason_for_single_steps() const {
  if (!can_step_in_ghosts())
    return "steps are taken one by one in one dimension, where properties depend on the "
           "temperature, and beside contacts on uneven grids or of more than 256 kinds of cells";
  if (!problem_.conditions_stay())
    return "a source or a side changes with time or with the temperature";
  if (is_alone())
    return "one GPU takes several steps at once with constant K and even cells, one condition a "
           "side, and in three dimensions in blocks of 62 rows or more along y";
  return "the conditions of a side differ from cell to cell where blocks meet, or blocks are "
         "thinner than so many cells";
}

template <class Real>
void Passes<Real>::set(int steps, int layers, Pass pass) {
  steps_ = steps;
  pass_ = pass == Pass::divided && !domain_.settings.overlap ? Pass::whole : pass;
  domain_.exchange_layers(std::max(steps, layers));
  const auto core = pass_ == Pass::divided ? domain_.core(steps) : comm::Box();
  interior_ = {core};
  shell_ = comm::difference(domain_.owned, core);
  stepwise_.clear();
  if (pass_ == Pass::stepwise)
    stepwise_ = solver::regions_of_steps(domain_.owned, problem_.step(0), steps);
}

template <class Real>
void Passes<Real>::take(solver::Field<Real>& temperature, solver::Field<Real>& scratch, double dt,
                        PhaseTimers& timers) const {
  const auto step = problem_.step(dt);
  auto pending = domain_.halo.start(streams_, temperature.view());
  timers.ends(Phase::halo_start);
  const auto values = [&] { return std::as_const(temperature).view(); };
  if (pass_ == Pass::divided)
    solver::apply_steps<Real>(streams_.bulk(), interior_, step, steps_, values(), scratch.view());
  timers.ends(Phase::interior);
  const auto ghosted = std::move(pending).finish();
  timers.ends(Phase::halo_wait);
  if (pass_ == Pass::stepwise) {
    for (const auto& region : stepwise_) {
      solver::apply(streams_.edge(), region, step, values(), scratch.view());
      swap(temperature, scratch);
    }
  } else {
    solver::apply_steps<Real>(streams_.edge(), shell_, step, steps_, ghosted, scratch.view());
    swap(temperature, scratch);
  }
  end_stage(streams_, timers);
}

template <class Real>
void Passes<Real>::diffuse(Part part, const comm::Ghosted<Real>& in,
                           const comm::GridView<Real>& out) const {
  const auto step = problem_.step(0);
  if (part != Part::shell && pass_ == Pass::divided)
    solver::apply_steps<Real>(streams_.bulk(), interior_, step, steps_, in, out);
  if (part == Part::interior) return;
  if (pass_ == Pass::stepwise) {
    for (const auto& region : stepwise_) solver::apply(streams_.edge(), region, step, in, out);
  } else {
    solver::apply_steps<Real>(streams_.edge(), shell_, step, steps_, in, out);
  }
}

template <class Real>
bool Passes<Real>::are_streamed() const {
  return std::ranges::all_of(stepwise_,
                             [](const comm::Region& region) { return region.thin().slots() == 0; });
}

template class Passes<float>;
template class Passes<double>;

}  // namespace halotherm::app
