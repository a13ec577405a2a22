// SPDX-License-Identifier: MIT
#include "app/output/diagnostics.hpp"

#include "app/domain/geometry.hpp"
#include "comm/mpi/error.hpp"
#include "io/text/grid_shape.hpp"
#include "solver/diagnostics/exact_carry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace halotherm::app {

namespace {

template <class Work>
void for_each_part(solver::Accumulator& accumulator, const Work& work) {
  for (auto* sum : {&accumulator.temperature, &accumulator.heat, &accumulator.change}) {
    *sum = solver::carried(*sum);
    for (auto& part : sum->high) work(part);
    for (auto& part : sum->low) work(part);
  }
}

/// Collective. Combines the accumulators and bounds of all blocks.
solver::Accumulator combined(const comm::Communicator& world, solver::Accumulator accumulator,
                             solver::TemperatureBounds& allowed) {
  std::array<double, 6> extremes{-accumulator.lowest,        accumulator.highest,
                                 accumulator.largest_change, accumulator.not_finite,
                                 -allowed.lowest(),          allowed.highest()};
  world.max(extremes);
  std::vector<std::int64_t> parts;
  for_each_part(accumulator, [&](std::int64_t& part) { parts.push_back(part); });
  world.sum(parts);
  auto part_of_all = parts.begin();
  for_each_part(accumulator, [&](std::int64_t& part) { part = *part_of_all++; });
  accumulator.lowest = -extremes[0];
  accumulator.highest = extremes[1];
  accumulator.largest_change = extremes[2];
  accumulator.not_finite = extremes[3];
  allowed = {-extremes[4], extremes[5]};
  return accumulator;
}

/// The index, in file order, of this rank's first cell whose temperature is not finite or reaches
/// `limit` [K]; infinite if there is none.
template <class Real>
double first_lost_cell(const solver::Grid& grid, const solver::Field<Real>& temperature,
                       double limit) {
  const auto& owned = temperature.owned();
  std::vector<Real> plane(static_cast<std::size_t>(owned.extent(0)) *
                          static_cast<std::size_t>(owned.extent(1)));
  for (int k = owned.lower[2]; k < owned.upper[2]; ++k) {
    const comm::Box box{{owned.lower[0], owned.lower[1], k},
                        {owned.upper[0], owned.upper[1], k + 1}};
    solver::copy_to_host<Real>(temperature, box, plane);
    const auto lost = std::ranges::find_if(
        plane, [&](Real value) { return !(std::abs(static_cast<double>(value)) < limit); });
    if (lost == plane.end()) continue;
    const auto place = lost - plane.begin();
    const auto i = owned.lower[0] + place % owned.extent(0),
               j = owned.lower[1] + place / owned.extent(0);
    return static_cast<double>((std::int64_t{k} * grid.cells[1] + j) * grid.cells[0] + i);
  }
  return std::numeric_limits<double>::infinity();
}

template <class Real>
[[noreturn]] void report_not_finite(const comm::Communicator& world, const solver::Grid& grid,
                                    const solver::Field<Real>& temperature, double limit,
                                    const solver::Clock& clock) {
  const auto shape = shape_of(grid);
  const double cell = world.min(first_lost_cell(grid, temperature, limit));
  const auto place =
      std::isfinite(cell)
          ? io::place_text(shape, io::cell_of(shape, static_cast<std::int64_t>(cell)))
          : "a cell whose heat content is too large";
  throw comm::CollectiveError(
      comm::ExitCode::numerics,
      {fmt::format("the temperature is not finite, or beyond 1e12 K, at step {}, t = {:g} s: first "
                   "at {}",
                   clock.step(), clock.time(), place),
       "a formula, a flux or a source drives it out of range; earlier checkpoints are good",
       "check the material, the source and the boundaries there"});
}

}  // namespace

template <class Real>
solver::AccumulatorBoard<Real> make_board(const Domain<Real>& domain,
                                          const solver::HeatEquation<Real>& equation,
                                          const std::vector<FlowPlace>& places) {
  const double capacity = domain.world.max(equation.largest_capacity(domain.owned));
  return {equation, solver::AccumulatorScales::for_capacity(capacity),
          solver::FlowSums<Real>(equation, domain.owned, parts_of(places), capacity)};
}

template <class Real>
Diagnostics reduce_diagnostics(const comm::Communicator& world, const solver::Grid& grid,
                               Sensors<Real>& sensors, const solver::Accumulator& of_block,
                               const solver::TemperatureBounds& allowed,
                               const solver::DiagnosticsSettings<Real>& settings,
                               double body_volume, const solver::Field<Real>& temperature,
                               const solver::Clock& clock) {
  auto allowed_anywhere = allowed;
  const auto found = combined(world, of_block, allowed_anywhere);
  if (found.not_finite > 0)
    report_not_finite(world, grid, temperature, settings.scales.temperature.limit(), clock);

  const double temperature_sum = found.temperature.value(settings.scales.temperature);
  const auto& heat = settings.heat;
  const auto inverse = static_cast<double>(heat.inverse_capacity.value);
  const double heat_sum =
      heat.varies() ? found.heat.value(settings.scales.heat) : temperature_sum / inverse;
  const double mean = temperature_sum / body_volume;
  const double change = found.change.value(settings.change_scale());
  const double heat_change = heat.varies() ? change : change / inverse;
  const double last_dt = clock.time() - clock.previous_time();
  return {.step = clock.step(),
          .time = clock.time(),
          .heat = heat_sum * grid.largest_volume(),
          // shares of volumes are rounded
          .mean = grid.even() ? mean : std::clamp(mean, found.lowest, found.highest),
          .lowest = found.lowest,
          .highest = found.highest,
          .change_rate = last_dt > 0 ? found.largest_change / last_dt : 0.0,
          .heat_change = heat_change * grid.largest_volume(),
          .sensors = sensors.values(temperature, clock.time()),
          .allowed = allowed_anywhere,
          .balance = std::nullopt};
}

Diagnostics in_unit(Diagnostics diagnostics, io::TemperatureUnit unit) {
  for (auto* value : {&diagnostics.mean, &diagnostics.lowest, &diagnostics.highest})
    *value = io::from_kelvin(*value, unit);
  for (auto& value : diagnostics.sensors) value = io::from_kelvin(value, unit);
  return diagnostics;
}

std::string csv_header(const comm::Quantity& quantity, const std::vector<FlowPlace>& places,
                       const std::vector<SensorConfig>& sensors) {
  auto header =
      fmt::format("step,time_s,heat_J,mean_{0},min_{0},max_{0},max_rate_K_per_s", quantity.unit);
  for (const auto& place : places) header += fmt::format(",flow_{}_W", place.name);
  header += ",source_W,stored_W,missing_W";
  for (const auto& sensor : sensors) header += fmt::format(",{}_{}", sensor.name, quantity.unit);
  return header;
}

std::string csv_row(const Diagnostics& d, const std::vector<FlowPlace>& places) {
  std::ostringstream row;
  row.precision(std::numeric_limits<double>::max_digits10);
  row << d.step;
  for (const double value : {d.time, d.heat, d.mean, d.lowest, d.highest, d.change_rate})
    row << ',' << value;
  const auto balance = d.balance.value_or(HeatBalance{});
  for (std::size_t n = 0; n < places.size(); ++n)
    row << ',' << (balance.sides.empty() ? 0 : balance.sides[n].power);
  for (const double value : {balance.source, balance.stored, balance.missing}) row << ',' << value;
  for (const double value : d.sensors) row << ',' << value;
  return row.str();
}

#define HALOTHERM_INSTANTIATE(Real)                                                               \
  template Diagnostics reduce_diagnostics(                                                        \
      const comm::Communicator&, const solver::Grid&, Sensors<Real>&, const solver::Accumulator&, \
      const solver::TemperatureBounds&, const solver::DiagnosticsSettings<Real>&, double,         \
      const solver::Field<Real>&, const solver::Clock&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

template solver::AccumulatorBoard<float> make_board(const Domain<float>&,
                                                    const solver::HeatEquation<float>&,
                                                    const std::vector<FlowPlace>&);
template solver::AccumulatorBoard<double> make_board(const Domain<double>&,
                                                     const solver::HeatEquation<double>&,
                                                     const std::vector<FlowPlace>&);

}  // namespace halotherm::app
