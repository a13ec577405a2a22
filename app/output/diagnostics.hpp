// SPDX-License-Identifier: MIT
// A run's diagnostics: one line of diagnostics.csv.
#pragma once

#include "app/output/sensors.hpp"
#include "solver/diagnostics/diagnostics.hpp"
#include "solver/equation/clock.hpp"
#include "solver/field/grid.hpp"

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
  std::vector<double> sensors;  ///< temperatures at the sensors [K], in the configuration's order
};

/// Collective. The same numbers to the last bit however the grid is cut. Throws CollectiveError
/// (numerics) if a temperature is not finite. `of_block`: this rank's, of the temperature.
template <class Real>
Diagnostics reduce_diagnostics(const comm::Communicator& world, const solver::Grid& grid,
                               Sensors<Real>& sensors, const solver::Accumulator& of_block,
                               const solver::DiagnosticsSettings<Real>& settings,
                               const solver::Field<Real>& temperature, const solver::Clock& clock);

std::string csv_header(const std::vector<SensorConfig>& sensors);
std::string csv_row(const Diagnostics& diagnostics);

}  // namespace halotherm::app
