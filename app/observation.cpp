// SPDX-License-Identifier: MIT
#include "app/observation.hpp"

#include "comm/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

namespace halotherm::app {

namespace {

/// Of the whole grid.
solver::Extremes combined(const comm::Communicator& world, const solver::Extremes& mine) {
  std::array<double, 5> values{-mine.lowest, mine.highest, mine.largest_change, mine.largest_heat, mine.not_finite};
  world.max(values);
  return {-values[0], values[1], values[2], values[3], values[4]};
}

solver::Sums combined(const comm::Communicator& world, solver::Sums sums) {
  std::array<std::int64_t, 6> bins{};
  for (std::size_t b = 0; b < 3; ++b) {
    bins[b] = sums.temperature.bins[b];
    bins[b + 3] = sums.heat.bins[b];
  }
  world.sum(bins);
  for (std::size_t b = 0; b < 3; ++b) {
    sums.temperature.bins[b] = bins[b];
    sums.heat.bins[b] = bins[b + 3];
  }
  return sums;
}

/// The cell that holds a position; a position on a face belongs to the upper cell, the domain's end to the last.
comm::Int3 cell_at(const solver::Grid& grid, const std::vector<double>& position) {
  comm::Int3 cell{0, 0, 0};
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const auto index = static_cast<int>(std::floor((position[a] - grid.lower[a]) / grid.spacing(axis)));
    cell[axis] = std::clamp(index, 0, grid.cells[axis] - 1);
  }
  return cell;
}

template <class Real>
std::vector<double> probe_values(const comm::Communicator& world, const solver::Grid& grid, const std::vector<ProbeConfig>& probes,
                                 const solver::Field<Real>& temperature) {
  std::vector<double> values(probes.size(), -std::numeric_limits<double>::infinity());
  for (std::size_t n = 0; n < probes.size(); ++n) {
    const auto cell = cell_at(grid, probes[n].at);
    if (!temperature.owned().contains(cell[0], cell[1], cell[2])) continue;
    Real value = 0;
    solver::copy_to_host<Real>(temperature, {cell, {cell[0] + 1, cell[1] + 1, cell[2] + 1}}, std::span(&value, 1));
    values[n] = static_cast<double>(value);
  }
  if (!values.empty()) world.max(values);
  return values;
}

[[noreturn]] void report_not_finite(const solver::Clock& clock) {
  std::ostringstream text;
  text << "the temperature is not finite at step " << clock.step() << ", t = " << clock.time()
       << " s (a formula, a flux or a source drives it out of range) check the configuration; the last checkpoint is good";
  throw comm::CollectiveError(comm::ExitCode::numerics, text.str());
}

}  // namespace

template <class Real>
Observation observe(const comm::Communicator& world, const solver::Grid& grid, const std::vector<ProbeConfig>& probes,
                    const solver::HeatEquation<Real>& equation, const solver::Field<Real>& temperature,
                    const solver::Field<Real>& previous, const solver::Clock& clock) {
  const auto found = combined(world, solver::extremes(temperature, previous, equation));
  if (found.not_finite > 0) report_not_finite(clock);

  const auto cells = grid.cell_count();
  const solver::FixedPointScale temperature_scale(std::max(std::abs(found.lowest), std::abs(found.highest)), cells);
  const solver::FixedPointScale heat_scale(found.largest_heat, cells);
  const auto sums = combined(world, solver::sums(temperature, equation, temperature_scale, heat_scale));

  const double temperature_sum = temperature_scale.value(sums.temperature);
  const auto& capacity = equation.inverse_capacity();
  const double heat_sum = capacity.varies ? heat_scale.value(sums.heat) : temperature_sum / static_cast<double>(capacity.value);
  const double last_dt = clock.time() - clock.previous_time();
  return {.step = clock.step(),
          .time = clock.time(),
          .heat = heat_sum * grid.cell_volume(),
          .mean = temperature_sum / static_cast<double>(cells),
          .lowest = found.lowest,
          .highest = found.highest,
          .change_rate = last_dt > 0 ? found.largest_change / last_dt : 0.0,
          .probes = probe_values(world, grid, probes, temperature)};
}

std::string csv_header(const std::vector<ProbeConfig>& probes) {
  std::string header = "step,time_s,heat_J,mean_K,min_K,max_K,max_rate_K_per_s";
  for (const auto& probe : probes) header += "," + probe.name + "_K";
  return header;
}

std::string csv_row(const Observation& o) {
  std::ostringstream row;
  row.precision(std::numeric_limits<double>::max_digits10);
  row << o.step;
  for (const double value : {o.time, o.heat, o.mean, o.lowest, o.highest, o.change_rate}) row << ',' << value;
  for (const double value : o.probes) row << ',' << value;
  return row.str();
}

#define HALOTHERM_INSTANTIATE(Real)                                                                                       \
  template Observation observe(const comm::Communicator&, const solver::Grid&, const std::vector<ProbeConfig>&,           \
                               const solver::HeatEquation<Real>&, const solver::Field<Real>&, const solver::Field<Real>&, \
                               const solver::Clock&);
HALOTHERM_INSTANTIATE(float)
HALOTHERM_INSTANTIATE(double)

}  // namespace halotherm::app
