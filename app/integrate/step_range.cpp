// SPDX-License-Identifier: MIT
#include "app/integrate/step_range.hpp"

#include "app/config/material_tables.hpp"
#include "app/problem/quantity_bounds.hpp"
#include "app/problem/region_census.hpp"
#include "solver/equation/cell_range.hpp"
#include "solver/equation/monotone_dt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace halotherm::app {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;  ///< of a range of temperatures, and of a time

/// Collective. Of all blocks.
solver::Bounds over_ranks(const comm::Communicator& world, double lower, double upper) {
  std::array<double, 2> ends{lower, -upper};
  world.min(ends);
  return {ends[0], -ends[1]};
}

double least_of(const std::vector<solver::MaterialTables>& materials, bool conductivity) {
  double least = infinity;
  const auto look = [&](const solver::PropertyTable& table, double factor) {
    for (const auto& point : table) least = std::min(least, factor * point.value);
  };
  for (const auto& material : materials) {
    if (!conductivity) look(material.volumetric_heat_capacity, 1);
    for (const auto& of_axis : material.conductivity) {
      if (conductivity) look(of_axis, material.conductivity_factor.least);
    }
  }
  return least;
}

void include(solver::TemperatureRange& range, const solver::Bounds& other) {
  range.lower = std::min(range.lower, other.lower);
  range.upper = std::max(range.upper, other.upper);
}

}  // namespace

bool steps_follow(const Config& config) {
  const auto method = config.time.integrator;
  const bool keeps_bound = method == solver::Method::euler || method == solver::Method::rk2;
  return has_tables(config) && !config.has_void() && keeps_bound && !config.time.dt &&
         !config.time.tolerance && config.time.bound == StepBound::monotone &&
         !sources_follow_temperature(config);
}

template <class Real>
StepRange<Real>::StepRange(const comm::Streams& streams, const Domain<Real>& domain,
                           const Problem<Real>& problem, const Config& config,
                           const StepBounds& whole)
    : streams_(streams),
      domain_(domain),
      problem_(problem),
      config_(
          with_source_densities(make_field_sampler(domain.world, config), config, domain.owned)),
      safety_(config.time.safety),
      whole_(choose_dt(config.time, whole)),
      limits_(tables_of_materials(config), problem.equation.materials()) {
  const auto tables = tables_of_materials(config);
  least_conductivity_ = least_of(tables, true);
  least_capacity_ = least_of(tables, false);
  if (source_changes(config)) return;
  const auto [least, most] = solver::range_of(domain.owned, problem.equation.source());
  fixed_source_ = over_ranks(domain.world, least, most);
}

template <class Real>
solver::Bounds StepRange<Real>::source_bounds(const solver::VariableBounds& variables) const {
  const auto all = sources(config_);
  if (!source_changes(config_)) return fixed_source_;
  solver::Bounds bounds{0, 0};
  for (const auto& part : all) {
    const auto of_part = bounds_of(part.quantity, variables);
    bounds = {std::min(bounds.lower, of_part.lower), std::max(bounds.upper, of_part.upper)};
  }
  return bounds;
}

/// A face beside flux, convection and radiation has a temperature between that of the cell inside
/// and what they impose, but for the flux over the conductance of half a cell, and heats the cell
/// by at most the flux where both are equal.
template <class Real>
void StepRange<Real>::add_surface(const SurfaceConfig& surface,
                                  const solver::VariableBounds& variables, double width,
                                  Drive& drive, solver::Bounds& flux) const {
  if (surface.temperature)
    return include(drive.imposed, bounds_of(*surface.temperature, variables));
  if (surface.convection) include(drive.imposed, bounds_of(surface.convection->ambient, variables));
  if (surface.radiation) include(drive.imposed, bounds_of(surface.radiation->ambient, variables));
  const auto of_surface = bounds_of(surface.flux, variables);
  flux = {std::min(flux.lower, of_surface.lower), std::max(flux.upper, of_surface.upper)};
  const double resistance = width / (2 * least_conductivity_);
  drive.film_below = std::max(drive.film_below, -flux.lower * resistance);
  drive.film_above = std::max(drive.film_above, flux.upper * resistance);
}

template <class Real>
auto StepRange<Real>::drive(double begin, double end) const -> Drive {
  auto variables = variable_bounds(config_);
  variables[3] = {begin, end};
  const auto source = source_bounds(variables);
  Drive result{{infinity, -infinity}, std::max(0.0, -source.lower), std::max(0.0, source.upper)};
  for (int axis = 0; axis < domain_.grid.dimensions; ++axis) {
    for (const int side_end : {0, 1}) {
      const auto& side =
          config_.sides[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side_end)];
      const double width =
          domain_.grid.width(axis, side_end == 0 ? 0 : domain_.grid.cells[axis] - 1);
      if (side.periodic) continue;
      solver::Bounds flux{0, 0};
      add_surface(side, variables, width, result, flux);
      for (const auto& patch : side.patches) add_surface(patch, variables, width, result, flux);
      result.cooling += std::max(0.0, -flux.lower) / width;
      result.heating += std::max(0.0, flux.upper) / width;
    }
  }
  return result;
}

/// Collective. Without end where a temperature is not finite.
template <class Real>
solver::TemperatureRange StepRange<Real>::range_now(const solver::State<Real>& state) const {
  streams_.fence();
  auto [least, most] = solver::range_of<Real>(domain_.owned, state.temperature().view());
  if (!std::isfinite(least)) least = -infinity, most = infinity;
  const auto all = over_ranks(domain_.world, least, most);
  return {all.lower, all.upper};
}

/// That temperatures cannot leave within so many steps of length `dt`. The last stage of a step
/// may begin with temperatures of one step more.
template <class Real>
solver::TemperatureRange StepRange<Real>::range_until(const solver::TemperatureRange& now,
                                                      double time, std::int64_t steps,
                                                      double dt) const {
  const double span = static_cast<double>(steps) * dt;
  const auto by = drive(time, time + span * (1 + rounding));
  const double longest = static_cast<double>(steps + 1) * dt / least_capacity_;
  auto range = now;
  include(range, {by.imposed.lower, by.imposed.upper});
  if (longest == 0) return range;  // heating may be infinite
  range.lower -= longest * by.cooling;
  range.upper += longest * by.heating;
  return range;
}

/// Collective. A ghost cell lies as far beyond its face as the cell lies inside.
template <class Real>
double StepRange<Real>::dt_within(const solver::TemperatureRange& range, const Drive& drive) {
  const double width = range.upper - range.lower;
  const solver::TemperatureRange with_ghosts{range.lower - width - 2 * drive.film_below,
                                             range.upper + width + 2 * drive.film_above};
  const auto limits = limits_.within(with_ghosts, range);
  const double bound = domain_.world.min(
      solver::monotone_dt(problem_.equation, problem_.boundary.strictest_sides(), limits));
  return std::max(whole_, safety_ * bound);
}

template <class Real>
void StepRange<Real>::follow(solver::State<Real>& state, solver::Clock& clock) {
  const auto step = clock.step();
  const bool due = step % interval == 0, begins = chosen_at_ < 0;
  if (step == chosen_at_ || (!due && !begins)) return;
  chosen_at_ = step;
  const auto left = interval - step % interval;
  const auto now = range_now(state);
  auto& numbers = state.numbers();
  if (!due && numbers.contains(lowest) && numbers.contains(highest)) {
    const auto needed = range_until(now, clock.time(), left, clock.full_dt());
    const double slack = rounding * (numbers[highest] - numbers[lowest]);
    if (needed.lower >= numbers[lowest] - slack && needed.upper <= numbers[highest] + slack) return;
  }
  // the range of longer steps includes that of shorter ones, and its bound is the shorter
  const auto choose = [&](double longest) {
    const auto range = range_until(now, clock.time(), left, longest);
    const double span = static_cast<double>(left) * longest * (1 + rounding);
    constexpr double most = std::numeric_limits<double>::max();  // files have finite numbers
    numbers = {{lowest, std::max(-most, range.lower)}, {highest, std::min(most, range.upper)}};
    return dt_within(range, drive(clock.time(), clock.time() + span));
  };
  clock.set_full_dt(choose(choose(0)));
}

template class StepRange<float>;
template class StepRange<double>;

}  // namespace halotherm::app
