// SPDX-License-Identifier: MIT
// A run's diagnostics, reduced over all ranks: one row of diagnostics.csv.
#pragma once

#include "app/domain/domain.hpp"
#include "app/output/heat_balance.hpp"
#include "app/output/sensors.hpp"
#include "comm/partition/quantity.hpp"
#include "solver/diagnostics/accumulator_board.hpp"
#include "solver/diagnostics/diagnostics.hpp"
#include "solver/equation/clock.hpp"
#include "solver/equation/temperature_bounds.hpp"
#include "solver/field/grid.hpp"

#include <optional>
#include <string>
#include <vector>

namespace halotherm::app {

struct Diagnostics {
  std::int64_t step = 0;
  double time = 0;              ///< [s]
  double heat = 0;              ///< sum of rho c T V [J]
  double mean = 0;              ///< [K]
  double lowest = 0;            ///< [K]
  double highest = 0;           ///< [K]
  double change_rate = 0;       ///< max |dT/dt| over the last step [K/s]
  double heat_change = 0;       ///< of `heat` in the last step [J]
  std::vector<double> sensors;  ///< temperatures at the sensors [K], in the configuration's order
  solver::TemperatureBounds allowed;   ///< by sources and sides so far
  std::optional<HeatBalance> balance;  ///< of the last step; none where that was not instrumented
};

/// Collective. The board of a run's instrumented steps. `equation` must outlive it.
template <class Real>
solver::AccumulatorBoard<Real> make_board(const Domain<Real>& domain,
                                          const solver::HeatEquation<Real>& equation,
                                          const std::vector<FlowPlace>& places);

/// Collective. Reduces the blocks' accumulators; the result has the same bits for every partition.
/// `of_block`: this rank's accumulator of `temperature`; `allowed`: this rank's bounds;
/// `body_volume`: of the cells in all accumulators, in units of the largest one's. Throws
/// CollectiveError (numerics) that names the first cell whose temperature is not finite or beyond
/// the limit.
template <class Real>
Diagnostics reduce_diagnostics(const comm::Communicator& world, const solver::Grid& grid,
                               Sensors<Real>& sensors, const solver::Accumulator& of_block,
                               const solver::TemperatureBounds& allowed,
                               const solver::DiagnosticsSettings<Real>& settings,
                               double body_volume, const solver::Field<Real>& temperature,
                               const solver::Clock& clock);

/// The same with temperatures in this unit, without `allowed`.
Diagnostics in_unit(Diagnostics diagnostics, io::TemperatureUnit unit);

/// The names of the columns with the units of `quantity`, and a row with all digits; both without a
/// line end. A row without a balance has zeros in its columns. Local.
std::string csv_header(const comm::Quantity& quantity, const std::vector<FlowPlace>& places,
                       const std::vector<SensorConfig>& sensors);
std::string csv_row(const Diagnostics& diagnostics, const std::vector<FlowPlace>& places);

}  // namespace halotherm::app
